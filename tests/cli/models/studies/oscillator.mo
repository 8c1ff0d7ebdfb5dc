// x = start*cos(w*t) + v*sin(w*t)/w; some values of `fast` make it stiff, which changes x in nothing.
model Oscillator
  parameter Real w(min = 0.1, max = 50) = 1;
  parameter Real fast = 1;
  parameter Real twice = 2*w;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real follower(start = 0, fixed = true);
  Real sum = x + twice;
equation
  der(x) = v;
  der(v) = -w^2*x;
  der(follower) = fast*(x - follower);
end Oscillator;
