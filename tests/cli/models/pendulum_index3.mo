model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), vx, vy, tension;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -tension*x;
  der(vy) = -tension*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
