model Misra "y = b1 (1 - exp(-b2 t)) as a differential equation"
  parameter Real b1 = 500, b2 = 1e-4;
  Real y(start = 0, fixed = true);
equation
  der(y) = b2*(b1 - y);
end Misra;
