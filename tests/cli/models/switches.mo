// Many switches, and chattering.
model Burst "a controller with two thresholds that works for a fifth of a second: 4000 switches, whatever the horizon"
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if time > 100 and time < 100.2 then (if up then 2000 else -2000) else 0;
  when {x > 0.05, x < -0.05} then
    up = x < 0;
    n = pre(n) + 1;
  end when;
end Burst;
model Relay "a relay of a micrometre: 10000 switches in a second"
  Real x(start = 0, fixed = true, nominal = 1e-6);
  Boolean up(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if up then 2e-2 else -2e-2;
  when {x > 1e-6, x < -1e-6} then
    up = x < 0;
    n = pre(n) + 1;
  end when;
end Relay;
model Sliding "held at 1 by a relay without hysteresis"
  Real x(start = 0.5, fixed = true), s;
equation
  s = if time < 2 then 1 else 0;
  der(x) = s + (if x > 1 then -2 else 0);
end Sliding;
