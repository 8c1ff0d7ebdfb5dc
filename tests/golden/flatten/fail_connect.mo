// class: M
connector A
  Real v;
  flow Real i;
end A;
connector B
  Real v;
  Real i;
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
//| fail_connect.mo:15:3: error: `a.i` and `b.i` cannot be connected, their members differ [E356]
//|   15 |   connect(a, b);
//|      |   ^~~~~~~~~~~~~
//| fail_connect.mo:4:13: note: declared here
//|   4 |   flow Real i;
//|     |             ^
//| fail_connect.mo:8:8: note: declared here
//|   8 |   Real i;
//|     |        ^
//| fail_connect.mo:16:14: error: `connect` needs two connectors, this is `x` [E355]
//|   16 |   connect(a, x);
//|      |              ^
//| fail_connect.mo:17:3: error: the sizes in this connection differ: scalar and [2] [E302]
//|   17 |   connect(a, many);
//|      |   ^~~~~~~~~~~~~~~~
