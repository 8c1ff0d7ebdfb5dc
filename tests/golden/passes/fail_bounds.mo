// class: M
model M
  Real level(min = 2, max = 1);
  Real rate(nominal = 0);
equation
  der(level) = rate;
  rate = 1 - level;
end M;
//| fail_bounds.mo:3:8: error: `level` has min = 2 above max = 1 [E404]
//|   3 |   Real level(min = 2, max = 1);
//|     |        ^~~~~
//| fail_bounds.mo:4:8: error: the nominal value of `rate` is zero [E405]
//|   4 |   Real rate(nominal = 0);
//|     |        ^~~~
