// class: M
partial model TwoPin
  Real v, i;
end TwoPin;
model Resistor
  extends TwoPin;
equation
  v = i;
end Resistor;
model Wheel
  Real phi;
end Wheel;
model Part
  replaceable Resistor a constrainedby TwoPin;
  Resistor b;
  replaceable model Load = TwoPin;
  Load c;
end Part;
model M
  Part x(redeclare Wheel a);
  Part y(redeclare Wheel b);
end M;
//| fail_redeclare.mo:20:10: error: `Wheel` cannot take the place of `a`: it has no public component `v` [E217]
//|   20 |   Part x(redeclare Wheel a);
//|      |          ^~~~~~~~~~~~~~~~~
//| fail_redeclare.mo:14:26: note: promised here
//|   14 |   replaceable Resistor a constrainedby TwoPin;
//|      |                          ^~~~~~~~~~~~~~~~~~~~
//| fail_redeclare.mo:17:3: error: class `TwoPin` is partial: it is meant to be extended, not used [E223]
//|   17 |   Load c;
//|      |   ^~~~
//| fail_redeclare.mo:2:15: note: declared here
//|   2 | partial model TwoPin
//|     |               ^~~~~~
//| fail_redeclare.mo:21:10: warning: `y.b` is redeclared although it is not declared `replaceable` [W224]
//|   21 |   Part y(redeclare Wheel b);
//|      |          ^~~~~~~~~~~~~~~~~
//| fail_redeclare.mo:15:12: note: declared here
//|   15 |   Resistor b;
//|      |            ^
//| fail_redeclare.mo:21:10: error: `Wheel` cannot take the place of `b`: it has no public component `v` [E217]
//|   21 |   Part y(redeclare Wheel b);
//|      |          ^~~~~~~~~~~~~~~~~
//| fail_redeclare.mo:15:12: note: promised here
//|   15 |   Resistor b;
//|      |            ^
