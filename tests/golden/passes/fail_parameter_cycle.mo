// class: M
model M
  parameter Real a = 2*b;
  parameter Real b = a + 1;
  Real x = a*time;
end M;
//| fail_parameter_cycle.mo:4:22: error: the value of `a` depends on itself: `a` needs `b` needs `a` [E401]
//|   4 |   parameter Real b = a + 1;
//|     |                      ^~~~~
