// class: M
model M
  Real x, y, z;
  input Real u;
equation
  der(x) = u - x*y;
  sin(y) = x;
  u = 3*x;
  y*y = time;
end M;
//| fail_unbalanced.mo:2:7: error: the model has 4 equations for 3 unknowns [E407]
//|   2 | model M
//|     |       ^
//| help: 4 equations for 2 unknowns: `y`, `x`
//| fail_unbalanced.mo:6:3: note: one of them: der(x) = u - x*y
//|   6 |   der(x) = u - x*y;
//|     |   ^~~~~~~~~~~~~~~~
//| fail_unbalanced.mo:7:3: note: one of them: sin(y) = x
//|   7 |   sin(y) = x;
//|     |   ^~~~~~~~~~
//| fail_unbalanced.mo:8:3: note: one of them: u = 3*x
//|   8 |   u = 3*x;
//|     |   ^~~~~~~
//| fail_unbalanced.mo:9:3: note: one of them: y*y = time
//|   9 |   y*y = time;
//|     |   ^~~~~~~~~~
//| help: inputs without binding count as known: `u`
//| help: 0 equations for 1 unknown
//| fail_unbalanced.mo:3:14: note: not determined: `z`
//|   3 |   Real x, y, z;
//|     |              ^
