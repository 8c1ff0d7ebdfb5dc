model Pendulum "a rod that goes round: no choice of two states is good everywhere"
  Real x(start = 1, fixed = true), y(start = 0), vx(start = 0), vy(start = 0, fixed = true), force;
  Real energy = 0.5*(vx^2 + vy^2) + 9.81*y, length = sqrt(x^2 + y^2);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
