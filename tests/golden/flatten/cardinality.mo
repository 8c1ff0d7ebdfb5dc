// class: M
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin p, q[2];
  Pin none if false "a connection to it is not there either";
  parameter Real R = 1;
  Real n = cardinality(p);
  Real m = cardinality(q[1]) + 10*cardinality(q[2]);
equation
  connect(p, none);
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
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real a.p.v;
//|   Real a.p.i;
//|   Real a.q[2].v;
//|   Real a.q[2].i;
//|   parameter Real a.R(fixed = true) = 1;
//|   Real a.n;
//|   Real a.m;
//|   Real b.p.v;
//|   Real b.p.i;
//|   Real b.q[2].v;
//|   Real b.q[2].i;
//|   parameter Real b.R(fixed = true) = 1;
//|   Real b.n;
//|   Real b.m;
//| equation
//|   a.n = 1;
//|   a.m = 10;
//|   b.n = 2;
//|   0 = b.m;
//|   0 = a.q[1].v;
//|   0 = b.q[1].v;
//|   a.p.v = b.p.v;
//|   a.p.v = a.q[2].v;
//|   0 = a.q[2].i + (a.p.i + b.p.i);
//|   // 3 more like `0 = b.m`
//| end M;
