// class: M
model M
  Real a, b, p(start = 0.1);
equation
  a = sample(time, Clock(-0.1));
  b = sample(time, Clock(0.1, 10));
  p = sample(time, Clock(1.5*p));
end M;
//| fail_clock_intervals.mo:5:26: error: the interval of a clock must be positive [E469]
//|   5 |   a = sample(time, Clock(-0.1));
//|     |                          ^~~~
//| fail_clock_intervals.mo:6:31: error: a resolution goes with an Integer counter, not with a Real interval [E467]
//|   6 |   b = sample(time, Clock(0.1, 10));
//|     |                               ^~
//| fail_clock_intervals.mo:7:26: error: the interval of a clock is an expression that changes [E468]
//|   7 |   p = sample(time, Clock(1.5*p));
//|     |                          ^~~~~
