// class: M
model M
  Real x(start = 1);
equation
  der(x) = -x + sample(time, Clock(1, 10));
end M;
//| fail_clocked_derivative.mo:3:8: error: `x` is differentiated on a clock that has no solver method [E478]
//|   3 |   Real x(start = 1);
//|     |        ^
