// n tanks one after the other, each with an outflow k[i] x[i] of its own into the next and a leak.
model Cascade
  parameter Integer n = 150;
  parameter Real k[n] = {1 + 0.3*sin(i) for i in 1:n};
  parameter Real leak = 0.01;
  Real x[n](start = {if i <= 3 then 1 else 0 for i in 1:n}, each fixed = true);
equation
  der(x[1]) = -(k[1] + leak)*x[1];
  for i in 2:n loop
    der(x[i]) = k[i - 1]*x[i - 1] - (k[i] + leak)*x[i];
  end for;
end Cascade;
