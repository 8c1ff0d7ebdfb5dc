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
//|   algebraics (1): der(x)
//|   controls (0):
//|   shared (2): startTime finalTime
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += der(x)
//|   residuals: 1 rows, 1 shapes
//|     row 0 += der(x) + 0.1*sin(der(x)) + (x - (-2)*x^2)/3
//|   outputs: 2 rows, 1 shapes
//|     row 0 += (x - (-2)*x^2)/3
//|     row 1 += (x - (-2)*x^2)/3 - x^2
//| end M
