model Kinetics
  parameter Real k1 = 0.5 "forth", k2 = 0.25 "back", first = 3;
  Real a(start = first + k1, fixed = true) "what is used up", b(start = 0, fixed = true);
  Real level[2](start = {1, 2}, each fixed = true);
  Real total, half, kept, other, constant_one;
equation
  der(a) = -k1*a + k2*b^2/(1 + abs(b));
  der(b) = k1*a - k2*b^2/(1 + abs(b));
  total = a + b + sin(time)*exp(-time/10);
  half = total/2 + 1e-7;
  kept = -b;
  other = noEvent(if a > b then a - b else mod(b, 0.3));
  constant_one = 1;
  der(level[1]) = -level[1]*log10(2 + a);
  der(level[2]) = max(level[1], 0.1) - level[2] + sign(a)*tanh(b)*sqrt(level[1]);
end Kinetics;

model Loop "an equation that has to be solved"
  Real x(start = 1, fixed = true), y(start = 0.5);
equation
  der(x) = -y;
  y + 0.1*sin(y) = x;
end Loop;

model Bounces
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -9.81;
  when x < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Bounces;

// Every value is read twice by the next one: written out it would have 2^40 parts.
model Shares
  Real x(start = 0.1, fixed = true);
  Real y[40];
equation
  y[1] = x;
  for k in 2:40 loop
    y[k] = y[k - 1]*(1 - y[k - 1]);
  end for;
  der(x) = -y[40];
end Shares;
