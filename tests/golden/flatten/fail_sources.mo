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
  connect(b, c);
end M;
