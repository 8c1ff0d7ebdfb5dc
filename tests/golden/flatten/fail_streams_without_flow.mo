// class: M
connector None
  stream Real h;
end None;
connector Two
  Real p, q;
  flow Real m, n;
  stream Real h;
end Two;
model M
  None a, b;
  Two c;
  stream Real outside;
  connector Directed
    Real p;
    flow Real m;
    stream input Real h;
  end Directed;
  Directed d;
end M;
//| fail_streams_without_flow.mo:13:15: error: `outside` cannot be stream, because it is in no connector [E226]
//|   13 |   stream Real outside;
//|      |               ^~~~~~~
//| fail_streams_without_flow.mo:3:15: error: the stream variable `h` is in a connector with 0 flow variables, where one is needed [E259]
//|   3 |   stream Real h;
//|     |               ^
//| fail_streams_without_flow.mo:8:15: error: the stream variable `h` is in a connector with 2 flow variables, where one is needed [E259]
//|   8 |   stream Real h;
//|     |               ^
//| fail_streams_without_flow.mo:17:23: error: `h` cannot be both stream and input or output [E226]
//|   17 |     stream input Real h;
//|      |                       ^
