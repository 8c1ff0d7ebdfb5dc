// class: M
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin p, q[2];
  parameter Real R = 1;
  Real n = cardinality(p);
  Real m = cardinality(q[1]) + 10*cardinality(q[2]);
equation
  if cardinality(q[1]) == 0 then
    q[1].v = 0;
  end if;
end Part;
model M
  Part a, b;
equation
  connect(a.p, b.p);
  connect(a.q[2], b.p);
end M;
