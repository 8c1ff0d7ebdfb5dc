model StartedTwice "a fixed start and an initial equation that agree"
  parameter Real k = 1;
  Real x(start = 3, fixed = true), total;
initial equation
  x = 3;
equation
  der(x) = -k*x;
  total = 2*x;
end StartedTwice;
