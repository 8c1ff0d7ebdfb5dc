// Amounts far below one, as in mol, F or m of small things; nothing says how large they are.
model Decay
  Real x(start = 1e-9, fixed = true), share = x/1e-9;
equation
  der(x) = -x;
end Decay;
model Logistic "1e-9 exp(20)/(1 + 1e-9 (exp(20) - 1)) at t = 20"
  Real x(start = 1e-9, fixed = true);
equation
  der(x) = x*(1 - x);
end Logistic;
model Chain "b and c start at zero; b = a0 (exp(-t) - exp(-2 t))"
  Real a(start = 1e-12, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Real share = b/1e-12, sum = (a + b + c)/1e-12;
equation
  der(a) = -a;
  der(b) = a - 2*b;
  der(c) = 2*b;
end Chain;
model Forced "1e-9 (1 - cos t): neither start nor rate at the start say a size"
  Real x(start = 0, fixed = true), share = x/1e-9;
equation
  der(x) = 1e-9*sin(time);
end Forced;
model Oscillator "v0/w sin(w t)"
  Real x(start = 0, fixed = true), v(start = 1e-7, fixed = true), share = x/1e-10;
equation
  der(x) = v;
  der(v) = -1e6*x;
end Oscillator;
model Threshold "reached after log(2)/3, again and again: 14 times in 10 s"
  Real x(start = 1e-15, fixed = true);
  Integer n(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(x) = 3*x;
  when x >= 2e-15 then
    reinit(x, 1e-15);
    n = pre(n) + 1;
    last = time;
  end when;
end Threshold;
model Dimer "2 d^2 + d = a: an equation for an algebraic, solved at every step; a decays by d"
  Real a(start = 3e-13, fixed = true), d(start = 0), share = d/1e-13;
equation
  d + 2e13*d^2 = a;
  der(a) = -d;
end Dimer;
model Zero "stays zero, with rounding in its rate: nothing is asked of it"
  parameter Real angle = 3.141592653589793;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), y(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 9.81*sin(angle);
  der(y) = w;
  der(w) = 9.81 - y;
end Zero;
model Drift "what is left of a sum: errors of a and b, which nobody can resolve"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = -a*b - a;
  der(b) = a*b + a;
  der(c) = a + b - 1 - c;
end Drift;
model Talks "Grows out of nothing that could be seen at the start, with a call at every crossing"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(y) = 1;
  der(x) = 1e-9*y^2;
  when time > 1 then
    Modelica.Utilities.Streams.print("one second");
  end when;
end Talks;
