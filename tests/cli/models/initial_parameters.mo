// Parameters that initial equations between discrete values determine.
model FromWhen "m is 2 from the start by its `when`, so the initial equation determines p"
  Real m(start = 0, fixed = true);
  parameter Real p(fixed = false), q(fixed = false);
equation
  when {initial(), sample(0.1, 0.1)} then
    m = 2;
  end when;
initial equation
  m = p;
  q = 3*m + 1;
end FromWhen;

model FromFixed "n was 3 before the start, for good; no event changes it"
  parameter Integer k(fixed = false);
  parameter Boolean up(fixed = false);
  parameter Boolean down = false;
  Integer n(start = 3, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = if up then k*x else -k*x;
  when x > 2 then
    n = pre(n) + 1;
  end when;
initial equation
  k = n;
  up = not down;
end FromFixed;

model Kept "p has its own equation: then m was that before the start"
  discrete Real m;
  parameter Real p(fixed = false);
equation
  when sample(1, 1) then
    m = pre(m) + 1;
  end when;
initial equation
  m = p;
  2*p = 3;
end Kept;

model Unused
  parameter Real used = 1, depends = 2*idle, idle = 3;
  parameter Integer table[2] = {4, 5};
  Real x(start = 1, fixed = true);
equation
  der(x) = -used*x;
end Unused;
