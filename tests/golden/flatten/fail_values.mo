// class: M
model M
  Real x(start = y), y(max = time);
  parameter Real p = x, q = der(x);
equation
  x = time;
  y = x;
end M;
//| fail_values.mo:3:10: error: the value of `x` must not depend on variables or time [E327]
//|   3 |   Real x(start = y), y(max = time);
//|     |          ^~~~~~~~~
//| fail_values.mo:3:24: error: the value of `y` must not depend on variables or time [E327]
//|   3 |   Real x(start = y), y(max = time);
//|     |                        ^~~~~~~~~~
//| fail_values.mo:4:18: error: the value of `p` must not depend on variables or time [E327]
//|   4 |   parameter Real p = x, q = der(x);
//|     |                  ^~~~~
//| fail_values.mo:4:25: error: the value of `q` must not depend on variables or time [E327]
//|   4 |   parameter Real p = x, q = der(x);
//|     |                         ^~~~~~~~~~
