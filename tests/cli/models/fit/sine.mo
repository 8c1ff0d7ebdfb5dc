model Sine "7 sin(w t)"
  parameter Real w = 1;
  Real y(start = 0, fixed = true), v(start = 7*w, fixed = true);
equation
  der(y) = v;
  der(v) = -w^2*y;
end Sine;
