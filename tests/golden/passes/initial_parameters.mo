// class: M
model M
  parameter Real k(fixed = false, start = 1);
  Real x(start = 1), y(start = 2), sub;
equation
  der(x) = -k*x;
  der(y) = x - y;
  sub = x^2 + y;
initial equation
  der(x) = -3;
end M;
//| problem M
//|   states (3): k x y
//|   algebraics (0):
//|   controls (0):
//|   shared (2): startTime finalTime
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 3 rows, 1 shapes
//|     row 0 += 0
//|     row 1 += -k*x
//|     row 2 += x - y
//|   initial: 1 rows, 1 shapes
//|     row 0 += -k*x - (-3)
//|   outputs: 1 rows, 1 shapes
//|     row 0 += y + x^2
//| end M
