// class: M
connector Port
  Real p;
  flow Real m;
  input Real h;
end Port;
model M
  Port a;
  Real x = inStream(a.h), y = actualStream(a.h);
equation
  a.p = 1;
  a.h = 2;
end M;
//| fail_unsupported_in_stream.mo:9:12: error: the operator `inStream` is not supported yet [E301]
//|   9 |   Real x = inStream(a.h), y = actualStream(a.h);
//|     |            ^~~~~~~~~~~~~
//| fail_unsupported_in_stream.mo:9:31: error: the operator `actualStream` is not supported yet [E301]
//|   9 |   Real x = inStream(a.h), y = actualStream(a.h);
//|     |                               ^~~~~~~~~~~~~~~~~
