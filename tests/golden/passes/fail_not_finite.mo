// class: M
model M
  parameter Real length = 0;
  parameter Real rate = 1/length;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end M;
//| fail_not_finite.mo:4:25: error: the value of `rate` is infinity [E403]
//|   4 |   parameter Real rate = 1/length;
//|     |                         ^~~~~~~~
