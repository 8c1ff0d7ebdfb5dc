// class: M
model M
  parameter Real b = (-8.0)^(1/3);
  Real x(start = 1, fixed = true);
equation
  der(x) = -b*x;
end M;
//| fail_not_a_number.mo:3:22: error: the value of `b` is not a number [E403]
//|   3 |   parameter Real b = (-8.0)^(1/3);
//|     |                      ^~~~~~~~~~~~
//| help: a negative number has no real root, logarithm or power that is not whole; 0/0 is nothing
