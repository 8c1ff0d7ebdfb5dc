// Simulations: events of time, pairs of crossings, pulses, small amounts, stiff decays, relays, folds, singular systems.

model Sine "rises at (2 pi k + 0.5)/30 <= 100: k = 0 … 477"
  discrete Integer n(start = 0, fixed = true);
equation
  when sin(30*time - 0.5) > 0 then
    n = pre(n) + 1;
  end when;
end Sine;

model SineOfState "the same of a state"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when sin(30*s - 0.5) > 0 then
    n = pre(n) + 1;
  end when;
end SineOfState;

model Pair "two crossings 0.001 apart: one event"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when (s - 5.2345)*(s - 5.2355) < 0 then
    n = pre(n) + 1;
  end when;
end Pair;

model PairOfTime "the same of time"
  discrete Integer n(start = 0, fixed = true);
equation
  when (time - 5.2345)*(time - 5.2355) < 0 then
    n = pre(n) + 1;
  end when;
end PairOfTime;

model PairOfSines "y' = 50 cos(50 t): sin(50 t) > 0.9999 once in every period: (pi/2 + 2 pi k)/50 <= 10, k = 0 … 79"
  discrete Integer n(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(y) = 50*cos(50*time);
  when y > 0.9999 then
    n = pre(n) + 1;
  end when;
end PairOfSines;

model Pulse "100 w sqrt(pi)"
  parameter Real w = 0.001;
  Real x(start = 0, fixed = true);
equation
  der(x) = 100*exp(-((time - 7.77)/w)^2);
end Pulse;

model PulseOfState "the same, of a clock that is a state"
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = 100*exp(-((s - 7.77)/0.001)^2);
end PulseOfState;

model GateOfTime "0.5"
  Real x(start = 0, fixed = true);
equation
  der(x) = if time > 7.5 and time < 7.5005 then 1000 else 0;
end GateOfTime;

model GateOfState "0.5"
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = if s > 7.5 and s < 7.5005 then 1000 else 0;
end GateOfState;

model Train "a hundred gates of sin(20 pi t) > 0.999 in 10: 100*10 (pi - 2 asin 0.999)/(20 pi)"
  Real x(start = 0, fixed = true);
equation
  der(x) = if sin(62.83185307179586*time) > 0.999 then 10 else 0;
end Train;

model Nano "exp(-t), of 1e-9"
  Real x(start = 1e-9, fixed = true), share = x/1e-9;
equation
  der(x) = -x;
end Nano;

model Growth "logistic: 1/(1 + (1e9 - 1) exp(-t)) at 20"
  Real x(start = 1e-9, fixed = true);
equation
  der(x) = x*(1 - x);
end Growth;

model Pico "a -> b -> c, rates 1 and 2, of 1e-12: b = exp(-t) - exp(-2 t)"
  Real a(start = 1e-12, fixed = true), b(start = 0, fixed = true), share = b/1e-12;
equation
  der(a) = -a;
  der(b) = a - 2*b;
end Pico;

model Dimer "x' = -1e9 x^2 of 1e-9: 1/(1 + t)"
  Real x(start = 1e-9, fixed = true), share = x/1e-9;
equation
  der(x) = -1e9*x^2;
end Dimer;

model Stiff "x = cos t is left by nothing"
  Real x(start = 1, fixed = true);
equation
  der(x) = -1e6*(x - cos(time)) - sin(time);
end Stiff;

model StiffDecay "the fast mode is gone, the slow one is exp(-t)"
  Real x(start = 2, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = -1e5*(x - y) - y;
  der(y) = -y;
end StiffDecay;

model Oscillator "cos t"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Oscillator;

model Relay "up and down by 0.01 with speeds 1 and 3: a period of 0.01*4/3, it is switched off at 0.01 + k*0.01333… <= 10: k = 0 … 749"
  Real x(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = if on then 1 else -3;
  on = pre(on) and x <= 0.01 or not pre(on) and x <= 0;
  when not on then
    n = pre(n) + 1;
  end when;
end Relay;

model Ball "falls from 1, e = 0.5: bounces at sqrt(2/g) (1, 2, 2.5, 2.75 …), all before 3 sqrt(2/g) = 1.3546; seven of them until 1.345"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.5*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;

model Twice "x + y is told twice, x and y never"
  Real x, y;
equation
  x + y = time;
  2*x + 2*y = 2*time;
end Twice;

model Against "x + y is told to be two things"
  Real x, y;
equation
  x + y = time;
  2*x + 2*y = 2*time + 1;
end Against;

model Itself "y is itself from 0.5 on"
  Real y;
equation
  y = if time < 0.5 then 1 else 2*y - y;
end Itself;

model Fold "y^3 - 3 y = t from y = -1.9 …: no solution near beyond y = -1, t = 2"
  Real y(start = -1.8);
equation
  y^3 - 3*y = time;
end Fold;

model FoldOfState "the same of a state, with another that reads it"
  Real x(start = -2, fixed = true), y(start = -2), w(start = 0, fixed = true);
equation
  der(x) = 1;
  y^3 - 3*y = x;
  der(w) = y;
end FoldOfState;

model SteepOfState "steep by a thousand, and sound"
  Real x(start = -2, fixed = true), y(start = -1), w(start = 0, fixed = true);
equation
  der(x) = 1;
  y + 0.1*y^3 = tanh(1000*x);
  der(w) = y;
end SteepOfState;

model Root "y^2 = 1 - t: none from 1 on"
  Real y(start = 1), x(start = 0, fixed = true);
equation
  der(x) = y;
  y^2 = 1 - time;
end Root;

model Valve "open where p > 1, which it is not when open: no solution for supplies between 1 and 1.5"
  Real p, supply = 0.5 + time;
  Boolean open;
equation
  p = if open then supply - 0.5 else supply;
  open = p > 1;
end Valve;

model BlowUp "x' = x^2: 1/(1 - t), none from 1 on"
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end BlowUp;

model Torricelli "empty at 2: (1 - t/2)^2, 0 from there"
  Real h(start = 1, fixed = true);
equation
  der(h) = if h > 0 then -sqrt(max(h, 0)) else 0;
end Torricelli;

model Pairs "two pairs of crossings, 0.0002 apart each: two events"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when (s - 5.2)*(s - 5.2002)*(s - 5.2004)*(s - 5.2006) < 0 then
    n = pre(n) + 1;
  end when;
end Pairs;

model Crest "cos(7 s) > 1 - 1e-7 at 2 pi k/7, for 1e-4: k = 1 … 22"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when cos(7*s) > 1 - 1e-7 then
    n = pre(n) + 1;
  end when;
end Crest;

model BallAtRest "the bounces come to their end at 3 sqrt(2/g) = 1.3546: from there it lies"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
end BallAtRest;

model Sliding "x = 1 - t until 0, where it stays"
  Real x(start = 1, fixed = true);
equation
  der(x) = -sign(x);
end Sliding;

model Peak "a peak of the rate, of area 1 and width 0.001: (atan(46700) + atan(3300))/pi"
  Real x(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  der(x) = 1;
  der(q) = 1/(1e-3*3.141592653589793)/(1 + ((x - 3.3)/1e-3)^2);
end Peak;

model Window "2e-6 wide: one event"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when abs(s - 5.23) < 1e-6 then
    n = pre(n) + 1;
  end when;
end Window;

model Crests "x = sin t is above 0.999999 near pi/2 and 5 pi/2, for 0.003: two events"
  discrete Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 0.999999 then
    n = pre(n) + 1;
  end when;
end Crests;

partial model Two "meet at t = 5 with the speed 2"
  Real x(start = 0, fixed = true), y(start = 10, fixed = true);
equation
  der(x) = 1;
  der(y) = -1;
end Two;

model Meeting "one event"
  extends Two;
  discrete Integer n(start = 0, fixed = true);
equation
  when abs(x - y) < 0.001 then
    n = pre(n) + 1;
  end when;
end Meeting;

model MeetingPulse "sqrt(pi)/2"
  extends Two;
  Real q(start = 0, fixed = true);
equation
  der(q) = 1000*exp(-((x - y)/0.001)^2);
end MeetingPulse;

model MeetingGate "0.001 s long, 1000 high: 1"
  extends Two;
  Real q(start = 0, fixed = true);
equation
  der(q) = if abs(x - y) < 0.001 then 1000 else 0;
end MeetingGate;

partial model Clock
  Real s(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  der(s) = 1;
end Clock;

model Triangle "0.002 wide, 1000 high: 1"
  extends Clock;
equation
  der(q) = 1000*max(0, 1 - 1e3*abs(s - 5));
end Triangle;

model Steps "up and down again after 0.001, 1000 high: 1"
  extends Clock;
equation
  der(q) = 500*(tanh((s - 5)/1e-4) - tanh((s - 5.001)/1e-4));
end Steps;

model StepsOfTime "the same of time"
  Real q(start = 0, fixed = true);
equation
  der(q) = 500*(tanh((time - 5)/1e-4) - tanh((time - 5.001)/1e-4));
end StepsOfTime;

model Unseen "a gate without events: 1"
  Real q(start = 0, fixed = true);
equation
  der(q) = noEvent(if time > 5 and time < 5.001 then 1000 else 0);
end Unseen;

model Saw "a tenth of the time: 1"
  Real q(start = 0, fixed = true);
equation
  der(q) = if mod(time, 0.01) < 0.001 then 1 else 0;
end Saw;

model Many "rises at (2 pi k + 0.5)/10000 <= 10: k = 0 … 15915"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  when sin(10000*s - 0.5) > 0 then
    n = pre(n) + 1;
  end when;
end Many;

model Dip "x = exp(-30 t) until 1, then back: 1 at 2"
  Real x(start = 1, fixed = true);
equation
  der(x) = x*(if time < 1 then -30 else 30);
end Dip;

model DeepDip "x = exp(-32 sin t): 1e-14 at pi/2, 1 at pi"
  Real x(start = 1, fixed = true);
equation
  der(x) = -32*cos(time)*x;
end DeepDip;

model ShallowDip "the same, of 1e-6: its digits are kept"
  Real x(start = 1, fixed = true, nominal = 1e-6);
equation
  der(x) = -14*cos(time)*x;
end ShallowDip;

model Through "cos t goes through zero, and grows by another: sin 20"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Through;

model Ceiling "hi = y > 1 and y = t - (if hi then 1 else 0): no solution from 1 to 2"
  Real y;
  Boolean hi;
equation
  hi = y > 1;
  y = time - (if hi then 1 else 0);
end Ceiling;

model Rest "y + z is told twice, y and z never"
  Real x(start = 0, fixed = true), y, z;
equation
  der(x) = y;
  y + z = sin(time);
  3*y + 3*z = 3*sin(time);
end Rest;

model Ignition "y - y^3/3 = x: the branch ends at x = 2/3"
  Real y(start = 0.1), x(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  y - y^3/3 = x;
  der(x) = 1;
  der(q) = y;
end Ignition;

model Quotients "parameters that depend on what is sought: k = 1/4, x = 1/4 + t"
  parameter Real i(fixed = false, start = 2), k = 1/i;
  Real x(start = 0.25, fixed = true);
initial equation
  k = 0.25;
equation
  der(x) = 4*k;
end Quotients;

model Chirp "sin(t^2) rises at sqrt(2 pi k) <= 20: k = 0 … 63"
  discrete Integer n(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = 2*time;
  when sin(s) > 0 then
    n = pre(n) + 1;
  end when;
end Chirp;

model Bouncing "without loss: every 2 sqrt(2/9.81) after sqrt(2/9.81), 11 until 10"
  discrete Integer n(start = 0, fixed = true);
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    n = pre(n) + 1;
    reinit(v, -pre(v));
  end when;
end Bouncing;

model Seeded "what arrives at t = 1 grows by itself, from what an event set: 0.01*exp(8)"
  Real x(start = 0, fixed = true);
equation
  der(x) = 2*x;
  when time > 1 then
    reinit(x, 0.01);
  end when;
end Seeded;

model Reseeded "sinks below every tolerance, and is set anew at t = 40: 1e-3*exp(3)"
  Real x(start = 1, fixed = true);
equation
  der(x) = (if time < 40 then -1 else 0.5)*x;
  when time > 44 then
    reinit(x, 1e-3);
  end when;
end Reseeded;
