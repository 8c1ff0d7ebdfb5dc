model Exponentials "b1 exp(-b2 t) + b3 exp(-b4 t) + b5 exp(-b6 t)"
  parameter Real b1 = 1.2, b2 = 0.3, b3 = 5.6, b4 = 5.5, b5 = 6.5, b6 = 7.6;
  Real x1(start = b1, fixed = true), x2(start = b3, fixed = true), x3(start = b5, fixed = true), y = x1 + x2 + x3;
equation
  der(x1) = -b2*x1;
  der(x2) = -b4*x2;
  der(x3) = -b6*x3;
end Exponentials;
