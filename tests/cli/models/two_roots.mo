model TwoRoots "Newton's method goes to 5 pi/3 from the start; only pi/3 lies within the bounds"
  Real z(start = 0.1, min = 0, max = 3);
  Real x(start = 0, fixed = true);
equation
  cos(z) = 0.5;
  der(x) = z;
end TwoRoots;
