// class: M
connector Plug
  parameter Integer m = 3;
  Real v[m];
  flow Real i[m];
end Plug;
model M
  Plug a(m = 2), b(m = 3);
equation
  connect(a, b);
end M;
//| fail_connected_parameters.mo:10:3: error: the connected parameters `a.m` and `b.m` differ: 2 and 3 [E357]
//|   10 |   connect(a, b);
//|      |   ^~~~~~~~~~~~~
//| fail_connected_parameters.mo:3:21: note: declared here
//|   3 |   parameter Integer m = 3;
//|     |                     ^
//| fail_connected_parameters.mo:3:21: note: declared here
//|   3 |   parameter Integer m = 3;
//|     |                     ^
