// class: M
model M
  Real x[40000, 40000];
end M;
//| fail_large.mo:3:8: error: `x` makes the model larger than 2^30 scalar variables [E325]
//|   3 |   Real x[40000, 40000];
//|     |        ^
