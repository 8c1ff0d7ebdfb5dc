// SPDX-License-Identifier: Apache-2.0
// Loops of rigid bars, whose vectors change as the authors of their functions say; each has two ways of closing.
package Bars
  function turned "a vector of a bar, as its frame of reference sees it"
    input Real T[2, 2], w, v[2];
    output Real r[2] = T*v;
    annotation (derivative(noDerivative = T, noDerivative = w) = turned_der);
  end turned;
  function turned_der
    input Real T[2, 2], w, v[2], v_der[2];
    output Real r[2] = T*(v_der + {-w*v[2], w*v[1]});
  end turned_der;
  model Bar
    parameter Real length = 1;
    Real phi(start = 0), w(start = 0), T[2, 2], a[2], b[2], acceleration;
  equation
    w = der(phi);
    acceleration = der(w);
    T = {{cos(phi), -sin(phi)}, {sin(phi), cos(phi)}};
    b = a + turned(T, w, {length, 0});
  end Bar;
  model FourBars "a crank of 0.4, a coupler of 1.3, a rocker of 1, two pins 1.2 apart"
    Bar crank(length = 0.4, phi(start = 0.5, fixed = true), w(start = 2, fixed = true));
    Bar coupler(length = 1.3, phi(start = 0.8));
    Bar rocker(length = 1, phi(start = 1.6));
  equation
    crank.a = {0, 0};
    coupler.a = crank.b;
    rocker.a = {1.2, 0};
    rocker.b = coupler.b;
    crank.acceleration = 0;
    annotation (experiment(StopTime = 4));
  end FourBars;
  model Crossed "the same, closed the other way"
    extends FourBars(coupler(phi(start = -0.9)), rocker(phi(start = -2)));
  end Crossed;
  model SliderCrank "a crank of 0.3, a rod of 1, a piston on the x axis"
    Bar crank(length = 0.3, phi(start = 0.2, fixed = true), w(start = 1, fixed = true));
    Bar rod(phi(start = 0));
    Real piston(start = 1.3), speed, push;
  equation
    crank.a = {0, 0};
    rod.a = crank.b;
    rod.b = {piston, 0};
    speed = der(piston);
    push = der(speed);
    crank.acceleration = 0.5;
    annotation (experiment(StopTime = 4));
  end SliderCrank;
  model SliderBehind "the piston on the other side"
    extends SliderCrank(rod(phi(start = 3)), piston(start = -0.7));
  end SliderBehind;
end Bars;
