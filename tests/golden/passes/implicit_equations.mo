// class: M
model M
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) + 0.1*sin(der(x)) = -y;
  y + 2*z = x;
  y - z = x^2;
end M;
//| problem M
//|   states (1): x
//|   algebraics (2): y der(x)
//|   controls (0):
//|   shared (2): startTime finalTime
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += der(x)
//|   residuals: 2 rows, 1 shapes
//|     row 0 += (y - x^2)*2 + y - x
//|     row 1 += der(x) + 0.1*sin(der(x)) + y
//|   outputs: 1 rows, 1 shapes
//|     row 0 += y - x^2
//| end M
