// class: M
model M
  Real x[3], y[2], m[2, 3];
  parameter Real p[2] = {1, 2, 3};
equation
  x = y;
  y = m*y;
  x + 1 = x;
  m = [x; y];
  y = cat(3, y, y);
end M;
//| fail_sizes.mo:4:18: error: the value of `p` has size [3] instead of [2] [E323]
//|   4 |   parameter Real p[2] = {1, 2, 3};
//|     |                  ^~~~~~~~~~~~~~~~
//| fail_sizes.mo:6:3: error: the sizes in this equation differ: [3] and [2] [E302]
//|   6 |   x = y;
//|     |   ^~~~~
//| fail_sizes.mo:7:7: error: the sizes in this matrix product differ: [2, 3] and [2] [E302]
//|   7 |   y = m*y;
//|     |       ^~~
//| fail_sizes.mo:8:3: error: the sizes in this sum differ: [3] and scalar [E302]
//|   8 |   x + 1 = x;
//|     |   ^~~~~
//| fail_sizes.mo:9:3: error: the sizes in this equation differ: [2, 3] and [5, 1] [E302]
//|   9 |   m = [x; y];
//|     |   ^~~~~~~~~~
//| fail_sizes.mo:10:7: error: `cat` along dimension 3 needs arrays with that dimension [E326]
//|   10 |   y = cat(3, y, y);
//|      |       ^~~~~~~~~~~~
