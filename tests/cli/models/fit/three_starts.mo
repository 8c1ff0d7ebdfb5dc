model ThreeStarts
  parameter Real k = 1, b0 = 2;
  Real a(start = 1, fixed = true), b(start = b0, fixed = true), c(start = 2*b0, fixed = true);
equation
  der(a) = -k*a;
  der(b) = -k*b;
  der(c) = -k*c;
end ThreeStarts;
