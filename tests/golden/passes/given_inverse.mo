// class: M
package P
  function f
    input Real x, a;
    output Real y;
  algorithm
    y := x + a*exp(x);
    annotation(inverse(x = g(y, a)));
  end f;
  function g
    input Real y, a;
    output Real x;
  algorithm
    x := y;
    for i in 1:20 loop
      x := x - (x + a*exp(x) - y)/(1 + a*exp(x));
    end for;
  end g;
end P;
model M
  Real x, z(start = 0, fixed = true);
  parameter Real a = 0.5;
equation
  P.f(2*x + 1, a) = 3 + time;
  der(z) = x;
end M;
//| problem M
//|   states (1): z
//|   algebraics (0):
//|   controls (0):
//|   shared (3): startTime finalTime a
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += (given inverse of f(time + 3, a) - 1)/2
//|   outputs: 1 rows, 1 shapes
//|     row 0 += (given inverse of f(time + 3, a) - 1)/2
//| end M
