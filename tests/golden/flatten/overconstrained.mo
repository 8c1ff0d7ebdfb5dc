// class: Loop
record Direction
  Real c, s;
  function equalityConstraint
    input Direction a, b;
    output Real residue[1];
  algorithm
    residue := {a.c*b.s - a.s*b.c};
  end equalityConstraint;
end Direction;
connector Frame
  Direction R;
  flow Real t;
end Frame;
model Bar
  Frame a, b;
  Boolean forwards = Connections.rooted(a.R);
equation
  Connections.branch(a.R, b.R);
  a.R = b.R;
  a.t + b.t = 0;
end Bar;
model Loop "the connection that is written last closes the loop"
  Bar one, two;
  Boolean here = Connections.isRoot(one.a.R);
equation
  Connections.potentialRoot(one.a.R, 2);
  Connections.potentialRoot(two.b.R, priority = 1);
  connect(one.a, two.a);
  connect(one.b, two.b);
end Loop;
//| model Loop
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real one.a.R.c;
//|   Real one.a.R.s;
//|   Real one.a.t;
//|   Real one.b.R.c;
//|   Real one.b.R.s;
//|   Real one.b.t;
//|   Boolean one.forwards;
//|   Real two.a.R.c;
//|   Real two.a.R.s;
//|   Real two.a.t;
//|   Real two.b.R.c;
//|   Real two.b.R.s;
//|   Real two.b.t;
//|   Boolean two.forwards;
//|   Boolean here;
//| equation
//|   0 = equalityConstraint(one.b.R.c, one.b.R.s, two.b.R.c, two.b.R.s);
//|   one.a.R.c = one.b.R.c;
//|   one.a.R.s = one.b.R.s;
//|   0 = one.a.t + one.b.t;
//|   two.a.R.c = two.b.R.c;
//|   0 = two.a.t + two.b.t;
//|   0 = one.a.t + two.a.t;
//|   // 3 more like `one.a.R.c = one.b.R.c`
//|   // 1 more like `0 = one.a.t + one.b.t`
//| discrete equation
//|   one.forwards = 1;
//|   two.forwards = 0;
//|   here = 0;
//| function equalityConstraint(a.c, a.s, b.c, b.s) -> (residue[:])
//|   array residue[1]
//|   residue[0] := a.c*b.s - a.s*b.c;
//| end equalityConstraint;
//| end Loop;
