model Counted "a number that is counted, and one that is final"
  parameter Integer n = 2;
  final parameter Real g = 3;
  parameter Real k = 0.5;
  Real y(start = 1, fixed = true);
equation
  der(y) = -k*n*y + 0*g;
end Counted;
