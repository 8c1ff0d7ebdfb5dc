// class: NoRoot
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
model NoRoot "one message for each tree"
  Bar one, two, three;
equation
  connect(one.b, two.a);
end NoRoot;
//| fail_without_root.mo:25:3: error: nothing says what the root of the connected components around `one.b.R` is [E322]
//|   25 |   connect(one.b, two.a);
//|      |   ^~~~~~~~~~~~~~~~~~~~~
//| fail_without_root.mo:18:22: error: nothing says what the root of the connected components around `three.a.R` is [E322]
//|   18 |   Connections.branch(a.R, b.R);
//|      |                      ^~~
