model Lag "its rest is x = 3, y = 9"
  Real x(start = 1, fixed = true), y(start = 4);
equation
  der(x) = 3 - x;
  y = x^2 + 1e-3*sin(y - 9);
end Lag;
