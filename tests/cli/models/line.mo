model Line "y = a + b t"
  parameter Real a = 0;
  parameter Real b = 1;
  Real y(start = a, fixed = true);
equation
  der(y) = b;
end Line;
