model Decay
  parameter Real k = 1;
  parameter Real a = 1;
  Real x(start = a, fixed = true);
equation
  der(x) = -k*x;
  assert(k < 5, "k is too large");
end Decay;
