// class: M
model M
  Real a, b;
equation
  a = sample(time, Clock(1, 10));
  b = subSample(a, 2) + sample(time, Clock(3, 10));
end M;
//| fail_clock_factors_differ.mo:6:7: error: the clocks on both sides of `subSample` do not fit [E475]
//|   6 |   b = subSample(a, 2) + sample(time, Clock(3, 10));
//|     |       ^~~~~~~~~~~~~~~
