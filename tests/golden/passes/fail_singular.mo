// class: M
model M
  Real a, b, c;
equation
  exp(a) = 2;
  a*a = time;
  b*c = a;
end M;
//| fail_singular.mo:5:3: error: a part of the model has 2 equations for 1 unknown [E408]
//|   5 |   exp(a) = 2;
//|     |   ^~~~~~~~~~
//| help: 2 equations for 1 unknown: `a`
//| fail_singular.mo:5:3: note: one of them: exp(a) = 2
//|   5 |   exp(a) = 2;
//|     |   ^~~~~~~~~~
//| fail_singular.mo:6:3: note: one of them: a*a = time
//|   6 |   a*a = time;
//|     |   ^~~~~~~~~~
//| help: 1 equation for 2 unknowns
//| fail_singular.mo:3:11: note: not determined: `b`
//|   3 |   Real a, b, c;
//|     |           ^
//| fail_singular.mo:3:14: note: not determined: `c`
//|   3 |   Real a, b, c;
//|     |              ^
//| fail_singular.mo:7:3: note: contains them: b*c = a
//|   7 |   b*c = a;
//|     |   ^~~~~~~
