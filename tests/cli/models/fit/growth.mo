model Growth
  parameter Real k(min = 0) = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
end Growth;
