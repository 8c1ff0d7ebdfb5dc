// class: M
model M
  parameter Real k = 2, m(fixed = true) = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
  k = m + 1;
end M;
//| fail_nothing_unknown.mo:2:7: error: the model has 2 equations for 1 unknown [E407]
//|   2 | model M
//|     |       ^
//| help: 1 equation for 0 unknowns
//| fail_nothing_unknown.mo:7:3: note: one of them: k = m + 1
//|   7 |   k = m + 1;
//|     |   ^~~~~~~~~
//| help: nothing in it is unknown; parameters have the value of their declaration: `k`, `m`
