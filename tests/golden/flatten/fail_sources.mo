// class: M
connector Plug
  parameter Integer m = 3;
  Real v[m];
  flow Real i[m];
end Plug;
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y = time;
end Source;
block Sink
  RealInput u;
end Sink;
model M
  Plug a(m = 2), b(m = 2);
  Plug c(final m = 3);
  Source s, t;
  Sink k;
equation
  connect(a, b);
  connect(s.y, k.u);
  connect(t.y, k.u);
end M;
//| fail_sources.mo:23:3: error: the connection has two sources: `s.y` and `t.y` [E358]
//|   23 |   connect(t.y, k.u);
//|      |   ^~~~~~~~~~~~~~~~~
//| fail_sources.mo:22:3: note: the other one
//|   22 |   connect(s.y, k.u);
//|      |   ^~~~~~~~~~~~~~~~~
