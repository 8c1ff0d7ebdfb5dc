// class: M
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  parameter Integer n = 3;
  Pin q[n];
  Integer count[n];
equation
  for k in 1:n loop
    count[k] = cardinality(q[k]);
    if cardinality(q[k]) == 0 then
      q[k].v = k;
    end if;
  end for;
end Part;
model M
  Part a[2];
  Pin p;
  parameter Boolean more = false;
equation
  for k in 1:2 loop
    connect(a[1].q[k], a[2].q[k + 1]);
  end for;
  connect(p, a[1].q[2]);
  if more then
    connect(p, a[2].q[1]);
  end if;
  p.v = 5;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Integer a[2].n(fixed = true) = 3;
//|   Real a[2].q[3].v;
//|   Real a[2].q[3].i;
//|   Integer a[2].count[3];
//|   Real p.v;
//|   Real p.i;
//|   parameter Boolean more(fixed = true) = 0;
//| equation
//|   p.v = 5;
//|   a[1].q[3].v = 3;
//|   a[2].q[1].v = 1;
//|   a[1].q[1].v = a[2].q[2].v;
//|   a[1].q[2].v = a[2].q[3].v;
//|   a[1].q[2].v = p.v;
//|   0 = a[1].q[1].i + a[2].q[2].i;
//|   a[1].q[2].i + a[2].q[3].i = p.i;
//|   0 = a[1].q[3].i;
//|   0 = a[2].q[1].i;
//|   0 = p.i;
//| discrete equation
//|   a[1].count[1] = 1;
//|   a[2].count[2] = 1;
//|   a[2].count[3] = 1;
//|   a[1].count[2] = 2;
//|   a[1].count[3] = 0;
//|   a[2].count[1] = 0;
//| end M;
