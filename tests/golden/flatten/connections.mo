// class: Circuit
connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
  parameter Real r = 1;
equation
  p.v - n.v = r*p.i;
  p.i + n.i = 0;
end Resistor;
model Pair "outside connectors count with minus"
  Pin a, b;
  Resistor left, right(r = 3);
equation
  connect(a, left.p);
  connect(left.n, right.p);
  connect(right.n, b);
end Pair;
model Circuit
  Pair pair;
  Pin open;
equation
  connect(pair.a, open);
end Circuit;
//| model Circuit
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real pair.a.v;
//|   Real pair.a.i;
//|   Real pair.b.v;
//|   Real pair.b.i;
//|   Real pair.left.p.v;
//|   Real pair.left.p.i;
//|   Real pair.left.n.v;
//|   Real pair.left.n.i;
//|   parameter Real pair.left.r(fixed = true) = 1;
//|   Real pair.right.p.v;
//|   Real pair.right.p.i;
//|   Real pair.right.n.v;
//|   Real pair.right.n.i;
//|   parameter Real pair.right.r(fixed = true) = 3;
//|   Real open.v;
//|   Real open.i;
//| equation
//|   pair.left.p.v - pair.left.n.v = pair.left.r*pair.left.p.i;
//|   0 = pair.left.p.i + pair.left.n.i;
//|   pair.right.p.v - pair.right.n.v = pair.right.r*pair.right.p.i;
//|   0 = pair.right.p.i + pair.right.n.i;
//|   pair.a.v = open.v;
//|   pair.a.v = pair.left.p.v;
//|   pair.left.n.v = pair.right.p.v;
//|   0 = pair.left.n.i + pair.right.p.i;
//|   0 = pair.b.i;
//|   0 = open.i;
//|   // 4 more like `pair.a.v = open.v`
//| end Circuit;
