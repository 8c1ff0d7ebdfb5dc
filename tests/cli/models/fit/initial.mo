model Initial "the decay of a state called x0"
  parameter Real k = 1;
  Real x0(start = 1, fixed = true), total;
equation
  der(x0) = -k*x0;
  total = 2*x0;
end Initial;
