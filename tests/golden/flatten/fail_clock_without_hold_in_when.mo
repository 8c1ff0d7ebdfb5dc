// class: M
model M
  Clock c = Clock(1, 10);
  Real x(start = 0, fixed = true), f, v(start = 0, fixed = true), y, other;
equation
  der(x) = v;
  der(v) = f - x;
  f = 2*y;
  other = sample(v, c);
  when c then
    y = 1;
  end when;
end M;
//| fail_clock_without_hold_in_when.mo:8:3: error: `y` has a clock and `f` is continuous, but they are in one equation [E474]
//|   8 |   f = 2*y;
//|     |   ^~~~~~~
