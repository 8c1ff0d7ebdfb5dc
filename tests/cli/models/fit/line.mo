model Line "y = a + b t"
  parameter Real a = 0, b = 0;
  Real y(start = a, fixed = true);
equation
  der(y) = b;
end Line;
