// class: M
model M
  Real y, z, w;
equation
  y = sum(i for i in 1:1000000000);
  z = sum(zeros(100000, 100000));
  for i in 1:10000 loop
    w = sum(sin(i*j*y) for j in 1:100000);
  end for;
end M;
//| fail_large_sums.mo:5:22: error: this range has more than 50 million elements [E397]
//|   5 |   y = sum(i for i in 1:1000000000);
//|     |                      ^~~~~~~~~~~~
//| fail_large_sums.mo:6:11: error: this array has more than 50 million elements [E397]
//|   6 |   z = sum(zeros(100000, 100000));
//|     |           ^~~~~~~~~~~~~~~~~~~~~
//| fail_large_sums.mo:8:33: error: this array has more than 50 million elements [E397]
//|   8 |     w = sum(sin(i*j*y) for j in 1:100000);
//|     |                                 ^~~~~~~~
