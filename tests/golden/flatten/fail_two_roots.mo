// class: Roots
record D
  Real c, s;
  function equalityConstraint
    input D a, b;
    output Real residue[1];
  algorithm
    residue := {a.c*b.s - a.s*b.c};
  end equalityConstraint;
end D;
connector F
  D R;
  flow Real t;
end F;
model Bar
  F a, b;
equation
  Connections.branch(a.R, b.R);
  a.R = b.R;
  a.t + b.t = 0;
end Bar;
model Roots
  F a, b, c, d, e;
equation
  Connections.root(a.R);
  Connections.root(b.R);
  Connections.branch(a.R, b.R);
  Connections.root(c.R);
  Connections.branch(c.R, d.R);
  Connections.branch(d.R, e.R);
  Connections.branch(e.R, c.R);
end Roots;
//| fail_two_roots.mo:31:3: error: this branch closes a loop of branches [E343]
//|   31 |   Connections.branch(e.R, c.R);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_two_roots.mo:26:3: error: `Connections.root` names two roots that branches connect [E329]
//|   26 |   Connections.root(b.R);
//|      |   ^~~~~~~~~~~~~~~~~~~~~
//| fail_two_roots.mo:25:3: note: the other one
//|   25 |   Connections.root(a.R);
//|      |   ^~~~~~~~~~~~~~~~~~~~~
