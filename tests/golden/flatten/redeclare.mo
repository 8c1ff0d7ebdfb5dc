// class: Circuit
partial model TwoPin
  Real v, i;
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;
model Diode
  extends TwoPin;
  parameter Real c = 3;
equation
  i = c*(exp(v) - 1);
end Diode;
model Part
  replaceable Resistor a(R = 5) constrainedby TwoPin(v(start = 2));
  replaceable model Load = Resistor(R = 7) constrainedby TwoPin;
  Load b;
equation
  a.v = time;
  b.i = 1;
end Part;
model Circuit
  Part plain;
  Part other(redeclare Diode a(c = 4), redeclare model Load = Diode);
end Circuit;
//| model Circuit
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real plain.a.v(start = 2);
//|   Real plain.a.i;
//|   parameter Real plain.a.R(fixed = true) = 5;
//|   Real plain.b.v;
//|   Real plain.b.i;
//|   parameter Real plain.b.R(fixed = true) = 7;
//|   Real other.a.v(start = 2);
//|   Real other.a.i;
//|   parameter Real other.a.c(fixed = true) = 4;
//|   Real other.b.v;
//|   Real other.b.i;
//|   parameter Real other.b.c(fixed = true) = 3;
//| equation
//|   plain.a.v = time;
//|   plain.b.i = 1;
//|   plain.a.v = plain.a.R*plain.a.i;
//|   plain.b.v = plain.b.R*plain.b.i;
//|   other.a.v = time;
//|   other.b.i = 1;
//|   other.a.i = other.a.c*(exp(other.a.v) - 1);
//|   other.b.i = other.b.c*(exp(other.b.v) - 1);
//| end Circuit;
