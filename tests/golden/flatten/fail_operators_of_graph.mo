// class: Operators
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
model Operators
  F a;
  Bar one;
  Real x = if Connections.isRoot(a.t) then 1 else 0;
  Boolean b = Connections.rooted(a.R);
equation
  Connections.root(a);
  Connections.branch(a.R);
  Connections.uniqueRoot(a.R, "m");
  if Connections.isRoot(one.a.R) then
    connect(a, one.a);
  end if;
end Operators;
//| fail_operators_of_graph.mo:25:34: error: the operators of `Connections` need a component of an overconstrained type, this is `a.t` [E345]
//|   25 |   Real x = if Connections.isRoot(a.t) then 1 else 0;
//|      |                                  ^~~
//| fail_operators_of_graph.mo:28:20: error: the operators of `Connections` need a component of an overconstrained type, this is `a` [E345]
//|   28 |   Connections.root(a);
//|      |                    ^
//| fail_operators_of_graph.mo:29:3: error: `branch` takes 2 arguments, 1 are given [E330]
//|   29 |   Connections.branch(a.R);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~
//| fail_operators_of_graph.mo:31:6: error: `isRoot` decides about connections, which have to be known first [E344]
//|   31 |   if Connections.isRoot(one.a.R) then
//|      |      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_operators_of_graph.mo:26:15: error: `rooted` needs a branch that connects `a.R` [E346]
//|   26 |   Boolean b = Connections.rooted(a.R);
//|      |               ^~~~~~~~~~~~~~~~~~~~~~~
//| fail_operators_of_graph.mo:30:3: error: `Connections.uniqueRoot` is not supported yet [E301]
//|   30 |   Connections.uniqueRoot(a.R, "m");
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
