model Exchange "molecules that change places; how fast does not matter in the end"
  parameter Real k = 3e3, s = 0.1, f = 1e7;
  Real a(start = 1e8, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = f - k*a*(1 + c/1e9) + k*b;
  der(b) = k*a*(1 + c/1e9) - k*b - 0.7*k*b*(1 + a/1e8) + 0.7*k*3*c;
  der(c) = 0.7*k*b*(1 + a/1e8) - 0.7*k*3*c - s*c;
end Exchange;
