model NoStart "no real x has x^2 = -1: initialisation is impossible"
  Real x(start = 0.5);
  Real y;
initial equation
  x^2 + 1 = 0;
equation
  der(x) = -x;
  y^3 + y = x;
end NoStart;
