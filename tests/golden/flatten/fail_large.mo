// class: M
model M
  Real x[40000, 40000];
  parameter Real tm[2147483648] = {1.5, 2};
equation
  x[1, 1] = tm[1];
end M;
//| fail_large.mo:3:8: error: `x` makes the model larger than 1500000 scalars [E325]
//|   3 |   Real x[40000, 40000];
//|     |        ^
//| fail_large.mo:4:18: error: `tm` makes the model larger than 1500000 scalars [E325]
//|   4 |   parameter Real tm[2147483648] = {1.5, 2};
//|     |                  ^~
