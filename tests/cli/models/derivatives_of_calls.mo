// Derivatives of what is not a variable.
package DerivativesOfCalls
  function cube "by a loop, without derivative"
    input Real u;
    output Real y;
  algorithm
    y := 1;
    for i in 1:3 loop
      y := y*u;
    end for;
  end cube;
  function square "with a derivative"
    input Real u;
    output Real y;
  algorithm
    y := if u > 0 then u*u else 0;
    annotation(derivative = square_der, Inline = false);
  end square;
  function square_der
    input Real u, du;
    output Real dy;
  algorithm
    dy := if u > 0 then 2*u*du else 0;
  end square_der;
  model Calls "cube(x) = 8 exp(-t), square(z) = 9 + 2 t, sum(w.^2) = 25 exp(t), der(der(v)) = -v"
    Real x(start = 2, fixed = true), z(start = 3, fixed = true), w[2](start = {3, 4}), v(start = 1, fixed = true);
    Real p[2](start = {1, 8}, each fixed = true), q, a[2] = {2*time, 1 + time};
  initial equation
    w[1] = 3;
    der(v) = 0;
  equation
    der(cube(x)) = -cube(x);
    der(square(z)) = 2;
    der(sum(w[i]^2 for i in 1:2)) = sum(w[i]^2 for i in 1:2);
    w[1]/w[2] = 0.75;
    der(der(v)) = -v;
    der({cube(p[i]) for i in 1:2}) = {3, -3};
    q = der(max(a)) + der(a*{1, 2});
  end Calls;
  model Wrong
    Real x(start = 1), y;
  algorithm
    y := der(cube(x));
  equation
    der(x) = 1;
  end Wrong;
end DerivativesOfCalls;
