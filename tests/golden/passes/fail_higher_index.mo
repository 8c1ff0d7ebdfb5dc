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
