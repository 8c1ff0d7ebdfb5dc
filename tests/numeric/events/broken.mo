model Broken "an assertion fails at t = ln 2"
  Real x(start = 1, fixed = true);
equation
  der(x) = x;
  assert(x < 2, "too large");
end Broken;
