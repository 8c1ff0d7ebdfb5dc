model Fall "ends itself"
  Real h(start = 10, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  assert(v > -5, "fast: " + String(v), AssertionLevel.warning);
  when h < 2 then
    terminate("below " + String(2));
  end when;
end Fall;
