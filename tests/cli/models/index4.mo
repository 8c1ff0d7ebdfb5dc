model Index4 "a triple integrator whose end is given: its input is of index five"
  Real a, b, c, d, e;
equation
  der(a) = b;
  der(b) = c;
  der(c) = d;
  der(d) = e;
  a = sin(time);
end Index4;
