// class: M
type Angle
  extends Real;
  function equalityConstraint
    input Real a, b;
    output Real r[0];
  end equalityConstraint;
end Angle;
connector Frame
  Angle phi;
  flow Real t;
end Frame;
model M
  Frame a, b;
  Boolean root = Connections.isRoot(a.phi);
equation
  Connections.root(a.phi);
  Connections.branch(a.phi, b.phi);
  connect(a, b);
end M;
//| fail_unsupported_overconstrained.mo:15:18: error: the operator `Connections.isRoot` is not supported yet [E301]
//|   15 |   Boolean root = Connections.isRoot(a.phi);
//|      |                  ^~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_unsupported_overconstrained.mo:17:3: error: an overconstrained connection graph (`Connections`) is not supported yet [E301]
//|   17 |   Connections.root(a.phi);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~
//| fail_unsupported_overconstrained.mo:18:3: error: an overconstrained connection graph (`Connections`) is not supported yet [E301]
//|   18 |   Connections.branch(a.phi, b.phi);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
