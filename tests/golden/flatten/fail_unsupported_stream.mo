// class: M
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port a;
equation
  a.p = 1;
  a.h = 2;
end M;
//| fail_unsupported_stream.mo:5:15: error: not supported yet: stream variable `h` [E290]
//|   5 |   stream Real h;
//|     |               ^
