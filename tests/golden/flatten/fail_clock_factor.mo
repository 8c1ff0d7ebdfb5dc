// class: M
model M
  Real a, b, c;
equation
  a = sample(time, Clock(1, 10));
  b = subSample(a, -2);
  c = shiftSample(a, 1, 0);
end M;
//| fail_clock_factor.mo:6:20: error: factors, counters and resolutions of clocks are Integers of at least 0, this one is -2 [E465]
//|   6 |   b = subSample(a, -2);
//|     |                    ^~
//| fail_clock_factor.mo:7:25: error: factors, counters and resolutions of clocks are Integers of at least 1, this one is 0 [E465]
//|   7 |   c = shiftSample(a, 1, 0);
//|     |                         ^
