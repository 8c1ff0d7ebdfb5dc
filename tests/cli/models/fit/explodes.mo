model Explodes "x' = k x^2: at infinity at 1/k"
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = k*x^2;
end Explodes;
