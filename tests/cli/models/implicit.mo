model Implicit "y is had from x by Newton's method only"
  Real x(start = 1, fixed = true);
  Real y(start = 0.5);
equation
  y^3 + y = x;
  der(x) = -y;
end Implicit;
