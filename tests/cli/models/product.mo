model Product "a and b come as their product alone"
  parameter Real a = 1;
  parameter Real b = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*b*x;
end Product;
