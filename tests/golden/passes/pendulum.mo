// class: Pendulum
model Pendulum
  parameter Real g = 9.81, length = 1;
  Real x(start = 1), y(start = 0), vx, vy, tension;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -tension*x;
  der(vy) = -tension*y - g;
  x^2 + y^2 = length^2;
end Pendulum;
//| problem Pendulum
//|   states (2): y vy
//|   algebraics (3): x tension der(x)
//|   controls (0):
//|   shared (4): startTime finalTime g length
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 2 rows, 1 shapes
//|     row 0 += vy
//|     row 1 += -(g + tension*y)
//|   residuals: 3 rows, 1 shapes
//|     row 0 += x^2 + y^2 - length^2
//|     row 2 += x*2*der(x) + y*2*vy
//|     row 1 += der(x)*2*der(x) - x*2*(tension*x) + (vy*2*vy - y*2*(g + tension*y))
//|   outputs: 2 rows, 1 shapes
//|     row 0 += -tension*x
//|     row 1 += -(g + tension*y)
//| end Pendulum
