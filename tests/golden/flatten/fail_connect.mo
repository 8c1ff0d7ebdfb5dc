// class: M
connector A
  Real v;
  flow Real i;
end A;
connector B
  Real v;
  flow Real j;
end B;
model M
  A a, many[2];
  B b;
  Real x;
equation
  connect(a, b);
  connect(a, x);
  connect(a, many);
end M;
//| fail_connect.mo:15:3: error: `a` and `b` cannot be connected, their members differ [E356]
//|   15 |   connect(a, b);
//|      |   ^~~~~~~~~~~~~
//| fail_connect.mo:11:5: note: declared here
//|   11 |   A a, many[2];
//|      |     ^
//| fail_connect.mo:12:5: note: declared here
//|   12 |   B b;
//|      |     ^
//| fail_connect.mo:16:14: error: `connect` needs two connectors, this is `x` [E355]
//|   16 |   connect(a, x);
//|      |              ^
//| fail_connect.mo:17:3: error: the sizes in this connection differ: scalar and [2] [E302]
//|   17 |   connect(a, many);
//|      |   ^~~~~~~~~~~~~~~~
