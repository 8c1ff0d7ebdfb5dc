// class: M
package P
  function f "the given derivative is wrong on purpose: it is used all the same"
    input Real x;
    output Real y;
  algorithm
    y := x^2;
    annotation(derivative = df);
  end f;
  function df
    input Real x;
    input Real der_x;
    output Real der_y;
  algorithm
    der_y := 3*der_x;
  end df;
end P;
model M
  Real x, y(start = 0, fixed = true), v;
equation
  der(x) = v;
  P.f(x) = 1 + time;
  der(y) = v;
end M;
//| problem M
//|   states (1): y
//|   algebraics (1): x
//|   controls (0):
//|   shared (2): startTime finalTime
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += 0.3333333333333333
//|   residuals: 1 rows, 1 shapes
//|     row 0 += f(x) - (time + 1)
//|   outputs: 1 rows, 1 shapes
//|     row 0 += 0.3333333333333333
//| end M
