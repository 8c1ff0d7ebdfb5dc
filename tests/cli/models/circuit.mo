model Circuit
  parameter Real R1 = 1, R2 = 2, R3 = 3, C = 0.1, k = 0.01;
  Real v(start = 1), i1, i2, i3, u, d, p0;
equation
  C*der(v) = i1 - i3;
  i1 = (5 - u)/R1;
  i2 = u/R2;
  i3 = (u - v)/R3;
  i1 = i2 + i3;
  d = k*(exp(p0) - 1);
  p0 + 2*d = v;
end Circuit;
