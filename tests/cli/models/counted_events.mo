// Models whose numbers of events are known.
partial model Counter
  discrete Integer n(start = 0, fixed = true);
end Counter;
model Turns "a relation of a state turns 95 times in steps that the state would allow: 30 s = 2 pi k, k = 0 ... 477"
  extends Counter;
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when sin(30*s) > 0 then
    n = pre(n) + 1;
  end when;
end Turns;
model Squeezed "two crossings a thousandth apart in a step of seconds: 1"
  extends Counter;
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when (s - 37.1235)^2 < 2.5e-7 then
    n = pre(n) + 1;
  end when;
end Squeezed;
model Bell "a pulse of a state, a thousandth of the horizon wide: 1"
  extends Counter;
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when exp(-((s - 61.8)/0.06)^2) > 0.5 then
    n = pre(n) + 1;
  end when;
end Bell;
model Moment "a pulse of time, 1.7 hundred-thousandths of the horizon wide: 1"
  extends Counter;
equation
  when exp(-((time - 77.7)/0.001)^2) > 0.5 then
    n = pre(n) + 1;
  end when;
end Moment;
model Kiss "time (2 - time) is above 1 - 1e-12 for 2e-6 s, and never above 1 + 1e-12: 1"
  extends Counter;
  Integer never(start = 0, fixed = true);
equation
  when time*(2 - time) > 1 - 1e-12 then
    n = pre(n) + 1;
  end when;
  when time*(2 - time) > 1 + 1e-12 then
    never = pre(never) + 1;
  end when;
end Kiss;
model Pulses "five thousand, each a tenth of its period: 5000 in 5 s"
  extends Counter;
equation
  when sin(6283.185307179586*time) > 0.95 then
    n = pre(n) + 1;
  end when;
end Pulses;
model Throw "reaches 5 m at its highest point: above 4.99 once, above 5.01 never"
  extends Counter;
  parameter Real g = 10;
  Real h(start = 0, fixed = true), v(start = 10, fixed = true);
  Integer never(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h > 4.99 then
    n = pre(n) + 1;
  end when;
  when h > 5.01 then
    never = pre(never) + 1;
  end when;
end Throw;
model Swing "x = sin t is above 0.99 for 0.28 s in each of 16 periods"
  extends Counter;
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = y;
  der(y) = -x;
  when x > 0.99 then
    n = pre(n) + 1;
  end when;
end Swing;
model Product "sin t cos t = sin(2 t)/2 is above 0.1 once in pi: 32 times in 100 s"
  extends Counter;
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = y;
  der(y) = -x;
  when x*y > 0.1 then
    n = pre(n) + 1;
  end when;
end Product;
model Steps "floor and mod of a state: 40 steps, 20 wraps"
  extends Counter;
  Real s(start = 0, fixed = true);
  Integer step = integer(floor(4*s));
  discrete Integer wraps(start = 0, fixed = true);
equation
  der(s) = 1;
  when change(step) then
    n = pre(n) + 1;
  end when;
  when mod(s, 0.5) < 0.25 then
    wraps = pre(wraps) + 1;
  end when;
end Steps;
model Both "a relation of time beside one of a state that resets it: 10 and 10"
  extends Counter;
  Real s(start = 0, fixed = true);
  discrete Integer resets(start = 0, fixed = true);
equation
  der(s) = 1;
  when s >= 1 then
    reinit(s, 0);
    resets = pre(resets) + 1;
  end when;
  when cos(6.283185307179586*time) < -0.999999 then
    n = pre(n) + 1;
  end when;
end Both;
// No event, but a step that must not pass over it.
model Impulse "an area of one within 0.03 s of 100 s"
  Real x(start = 0, fixed = true);
equation
  der(x) = exp(-((time - 51.37)/0.01)^2)/(0.01*sqrt(3.141592653589793));
end Impulse;
model Impulses "on a ramp, one of a second and one of a hundredth, on a product with a state: exp(2) and the ramp's 5000"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = x*exp(-((time - 71)/0.01)^2)/(0.01*sqrt(3.141592653589793)) + x*exp(-((time - 20))^2)/sqrt(3.141592653589793);
  der(y) = time;
end Impulses;
model Smooth "nothing short: nothing is limited"
  Real x(start = 0, fixed = true);
equation
  der(x) = -x + sin(0.3*time);
end Smooth;

model Previous "y is 1 from s = 1 on; what asks one iteration later for the value before, finds it"
  Boolean m(start = false, fixed = true);
  Real s(start = 0, fixed = true), y;
  discrete Real k(start = 5, fixed = true), first(start = 5, fixed = true);
equation
  der(s) = 1;
  m = s > 1;
  y + y^3/10 = if m then 1.1 else 0;
  when m then
    first = pre(y);
  end when;
  when pre(m) then
    k = pre(y);
  end when;
end Previous;
