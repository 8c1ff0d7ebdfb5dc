model Unbalanced
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
end Unbalanced;
