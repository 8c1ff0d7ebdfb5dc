model Runaway "from half a second on n follows its own past"
  discrete Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  n = if time >= 0.5 then pre(n) + 1 else pre(n);
  der(x) = n;
end Runaway;
