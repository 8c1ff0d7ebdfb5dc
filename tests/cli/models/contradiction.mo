model Contradiction
  Real x, y;
initial equation
  x + y = 2;
  x + y = 3;
equation
  der(x) = -x;
  der(y) = -y;
end Contradiction;
