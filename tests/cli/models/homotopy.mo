model Homotopy "roots at 1, 2 and 3: the start is nearest to 1, the simplified equation leads to 3"
  Real x(start = 0);
  parameter Real a = 2.9;
equation
  homotopy(actual = (x - 1)*(x - 2)*(x - 3), simplified = x - a) = 0;
end Homotopy;
