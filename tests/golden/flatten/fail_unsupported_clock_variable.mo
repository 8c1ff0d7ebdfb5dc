// class: M
model M
  Clock c = Clock(1, 10);
  Real x(start = 0, fixed = true), y = sample(x, c), z = hold(y);
equation
  der(x) = z;
end M;
//| fail_unsupported_clock_variable.mo:3:3: error: not supported yet: clocks [E290]
//|   3 |   Clock c = Clock(1, 10);
//|     |   ^~~~~
