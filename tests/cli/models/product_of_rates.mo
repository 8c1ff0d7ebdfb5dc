model ProductOfRates "only a*b shows in x; c shows nowhere"
  parameter Real a = 1, b = 1, c = 1;
  Real x(start = 2, fixed = true), y(start = c, fixed = true);
equation
  der(x) = -a*b*x;
  der(y) = -y;
end ProductOfRates;
