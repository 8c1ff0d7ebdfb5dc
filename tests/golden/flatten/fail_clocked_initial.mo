// class: M
model M
  Real n(start = 0);
equation
  n = previous(n) + sample(time, Clock(1, 10));
initial equation
  n = 3;
end M;
//| fail_clocked_initial.mo:7:3: error: initial equations cannot stand in equations that have a clock [E491]
//|   7 |   n = 3;
//|     |   ^~~~~
