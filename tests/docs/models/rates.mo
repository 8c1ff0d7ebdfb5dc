model Rates "three rates that may depend on conditions c2 and c3: tests/docs/inline.json"
  parameter Real p1 = 0, p2 = 0, p3 = 0, c2 = 0, c3 = 0;
  Real x(start = 0.5, fixed = true), y(start = 0.5, fixed = true);
equation
  der(x) = p1 + p2*x + p3*y;
  der(y) = 1 - y;
end Rates;
