// Relations that change what they look at.
model Valve "opens at 1 and is then below 1: no solution for 1 < supply <= 1.5"
  Real supply = time, p;
  Boolean open;
equation
  p = if open then supply - 0.5 else supply;
  open = p > 1;
end Valve;
model Integrated "the same behind a state, with a cycle of two"
  Real x(start = 0, fixed = true), rate;
  Boolean full, spill;
equation
  der(x) = 1;
  rate = if spill then x - 2 else x;
  full = rate >= 1;
  spill = full and time > 0.25;
end Integrated;
model Implicit "the relation is of an algebraic that is solved for"
  Real q(start = 0.1), drive = 3*time;
  Boolean high;
equation
  q + 0.1*q^3 = if high then drive - 2 else drive;
  high = q > 1;
end Implicit;
model Counts "an Integer in the cycle"
  Real x(start = 0, fixed = true), level;
  Integer n;
equation
  der(x) = 1;
  level = x - 0.5*n;
  n = if level > 1 then 1 else 0;
end Counts;
// Neighbours with solutions.
model Latch "positive feedback: jumps up, once; the valve stays open at p = 1.5"
  Real supply = if time < 2 then time else 4 - time, p;
  Boolean open(start = false, fixed = true);
equation
  p = if pre(open) then supply + 0.5 else supply;
  open = p > 1;
end Latch;
model Feedback "without pre: both values fit between 0.5 and 1, the last one stays"
  Real supply = time, p;
  Boolean open(start = false);
equation
  p = if open then supply + 0.5 else supply;
  open = p > 1;
end Feedback;
model Rectifier "two diodes as curves: continuous, whatever the branch"
  Real v = sin(6.28318530717959*time), s1(start = 0), s2(start = 0), u(start = 0);
  Boolean off1, off2;
equation
  off1 = s1 < 0;
  off2 = s2 < 0;
  v - u = if off1 then s1 else 1e-5*s1;
  -v - u = if off2 then s2 else 1e-5*s2;
  (if off1 then 1e-5*s1 else s1) + (if off2 then 1e-5*s2 else s2) = u/10;
end Rectifier;
