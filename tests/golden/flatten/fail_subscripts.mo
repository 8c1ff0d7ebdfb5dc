// class: M
model M
  Real x[3], y;
  Integer k;
equation
  y = x[4];
  for i in 1:3 loop
    x[i] = x[i + 1];
  end for;
  y = x[k];
  y = x[1, 2];
  y = x[1.5];
end M;
//| fail_subscripts.mo:6:7: error: subscript 4 is outside dimension 1, which has 3 elements [E306]
//|   6 |   y = x[4];
//|     |       ^~~~
//| fail_subscripts.mo:8:12: error: subscript 4 is outside dimension 1, which has 3 elements [E306]
//|   8 |     x[i] = x[i + 1];
//|     |            ^~~~~~~~
//| fail_subscripts.mo:11:7: error: too many subscripts for an array of size [3] [E309]
//|   11 |   y = x[1, 2];
//|      |       ^~~~~~~
//| fail_subscripts.mo:12:9: error: expected an Integer subscript, this is Real [E305]
//|   12 |   y = x[1.5];
//|      |         ^~~
