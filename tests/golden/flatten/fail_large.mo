// class: M
model M
  Real x[40000, 40000];
  Real y, z, w;
equation
  y = sum(i for i in 1:1000000000);
  z = sum(zeros(100000, 100000));
  for i in 1:10000 loop
    w = sum(sin(i*j*y) for j in 1:100000);
  end for;
end M;
//| fail_large.mo:3:8: error: `x` makes the model larger than 50 million scalars [E325]
//|   3 |   Real x[40000, 40000];
//|     |        ^
//| fail_large.mo:6:22: error: this range makes the model larger than 50 million scalars [E325]
//|   6 |   y = sum(i for i in 1:1000000000);
//|     |                      ^~~~~~~~~~~~
//| fail_large.mo:7:11: error: this array makes the model larger than 50 million scalars [E325]
//|   7 |   z = sum(zeros(100000, 100000));
//|     |           ^~~~~~~~~~~~~~~~~~~~~
//| fail_large.mo:9:33: error: this array makes the model larger than 50 million scalars [E325]
//|   9 |     w = sum(sin(i*j*y) for j in 1:100000);
//|     |                                 ^~~~~~~~
