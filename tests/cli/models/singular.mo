model Singular
  Real x(start = 1, fixed = true);
  Real y, z;
equation
  der(x) = -x;
  y = 2*x;
  y = 3*x + 1;
end Singular;
