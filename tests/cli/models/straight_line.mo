model StraightLine "a line as the solution of an equation: least squares have a closed form"
  parameter Real x0 = 0, k = 1;
  Real x(start = x0, fixed = true);
equation
  der(x) = k;
end StraightLine;
