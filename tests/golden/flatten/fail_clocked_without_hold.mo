// class: M
model M
  Real x(start = 0, fixed = true), yc;
equation
  yc = sample(x, Clock(1, 10));
  der(x) = 1 - yc;
end M;
//| fail_clocked_without_hold.mo:6:3: error: `yc` has a clock and `x` is continuous, but they are in one equation [E474]
//|   6 |   der(x) = 1 - yc;
//|     |   ^~~~~~~~~~~~~~~
