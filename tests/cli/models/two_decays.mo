model TwoDecays "the sum of two decays does not tell which is which"
  parameter Real k1 = 1;
  parameter Real k2 = 1;
  Real a(start = 1, fixed = true), b(start = 1, fixed = true);
  Real y = a + b;
equation
  der(a) = -k1*a;
  der(b) = -k2*b;
end TwoDecays;
