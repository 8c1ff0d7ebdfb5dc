model Unrest "has no state of rest"
  Real x(start = 1, fixed = true), y;
equation
  der(x) = 1 + y^2;
  y + y^3 = x;
end Unrest;
