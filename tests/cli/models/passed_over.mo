// SPDX-License-Identifier: Apache-2.0
// What is so short that a step would pass over it. All have closed forms.
model Pulse "of a clock that is a state, 0.002 wide: 0.001 sqrt(pi) 100"
  Real s(start = 0, fixed = true), x(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = 100*exp(-((s - 31.4)/0.001)^2);
end Pulse;

model Gate "without events, 0.01 long, 100 high: 1"
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if time > 61.7 and time < 61.71 then 100 else 0);
end Gate;

model Implicit "a pulse that an algebraic equation gives: sqrt(pi)/10"
  Real s(start = 0, fixed = true), x(start = 0, fixed = true), z(start = 0);
equation
  der(s) = 1;
  z + z^3 = exp(-((s - 31.4)/0.1)^2) + exp(-3*((s - 31.4)/0.1)^2);
  der(x) = z;
end Implicit;

model Meeting "two trains pass each other within a thousandth of a second: once"
  Real a(start = 0, fixed = true), b(start = 87, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(a) = 1;
  der(b) = -1.5;
  when abs(a - b) < 1e-3 then
    n = pre(n) + 1;
  end when;
end Meeting;

model Swing "turns back before it reaches 1.1, and passes 0.9: 0 and 16"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  discrete Integer never(start = 0, fixed = true), often(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 1.1 then
    never = pre(never) + 1;
  end when;
  when x > 0.9 then
    often = pre(often) + 1;
  end when;
end Swing;

model Crest "reaches 1 but for 1e-8, six times"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 1 - 1e-8 then
    n = pre(n) + 1;
  end when;
end Crest;

model Tank "is empty at t = 2 sqrt(h)/k = 2, and stays so"
  Real h(start = 1, fixed = true);
equation
  der(h) = if h > 0 then -noEvent(sqrt(max(h, 0))) else 0;
end Tank;

model Ball "bounces end at (1 + e)/(1 - e) sqrt(2/g)"
  parameter Real e = 0.5;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;

model Spring "a floor with a spring: bounces for ever"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 - (if h < 0 then 1e5*h else 0);
  when h < 0 then
    n = pre(n) + 1;
  end when;
end Spring;
