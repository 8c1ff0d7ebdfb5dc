// Equations that determine nothing, or several things.
model Twice
  Real x, y;
equation
  x + y = time;
  x + y = time;
end Twice;
model Dependent "the third is the sum of the others"
  Real a, b, c, s(start = 0, fixed = true);
equation
  der(s) = a;
  a + b = s;
  b + c = 1;
  a + 2*b + c = s + 1;
end Dependent;
model Branch "y = y says nothing while x <= 0.5"
  Real y, x(start = 0, fixed = true);
equation
  der(x) = 1;
  if x > 0.5 then
    y = 2;
  else
    y = y;
  end if;
end Branch;
model Later "the same, from an event on"
  Real y(start = 1), z(start = 1), x(start = 0, fixed = true);
equation
  der(x) = 1;
  y + z = 3;
  0 = if x > 0.5 then 2*y + 2*z - 6 else y - z + x;
end Later;
// Neighbours that are determined.
model Rest "the enthalpy of a fluid at rest: undetermined for a moment, as the flow passes zero"
  Real m = time - 0.5, h(start = 1);
equation
  m*(h - 3) = 0.1*m;
end Rest;
model Loop
  Real x(start = 1), y(start = 1);
equation
  x + y = time + 2;
  x*y = 1 + 0*time;
end Loop;
// Solutions that end.
model Fold "z^3 - 3 z = drive ends at drive = 2, z = -1, and jumps to 2"
  Real drive = 4*time, z(start = -1.8);
equation
  z^3 - 3*z = drive - 1;
end Fold;
model FoldWithState "the same, driven by a state"
  Real s(start = 0, fixed = true), z(start = -1.8);
equation
  der(s) = 4;
  z^3 - 3*z = s - 1;
end FoldWithState;
model Steep "no fold: steep, but continuous"
  Real z(start = -1);
equation
  z + 1e-3*z^3 = tanh(2000*(time - 0.5));
end Steep;

model FoldOfState "the fold at x = 2 of a state's algebraic: it jumps from -1 to 2"
  Real x(start = -2, fixed = true), z(start = -2), w(start = 0, fixed = true);
equation
  der(x) = 1;
  z^3 - 3*z = x;
  der(w) = z;
end FoldOfState;

model SteepOfState "steep by a thousand, and sound"
  Real x(start = -2, fixed = true), z(start = -1), w(start = 0, fixed = true);
equation
  der(x) = 1;
  z + 0.1*z^3 = tanh(1000*x);
  der(w) = z;
end SteepOfState;
