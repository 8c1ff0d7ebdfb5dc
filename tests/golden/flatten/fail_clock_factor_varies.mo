// class: M
model M
  Integer k(start = 1);
  Real a, b;
equation
  k = previous(k) + 1;
  a = sample(time, Clock(1, 10)) + k;
  b = subSample(a, k);
end M;
//| fail_clock_factor_varies.mo:8:20: error: factors, counters and resolutions of clocks must be known when the model is compiled [E464]
//|   8 |   b = subSample(a, k);
//|     |                    ^
