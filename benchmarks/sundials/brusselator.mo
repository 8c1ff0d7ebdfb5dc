model Brusselator
  constant Real pi = 3.14159265358979323846;
  parameter Integer n = 100;
  parameter Real d = 0.02*(n + 1)^2;
  Real u[n](start = {1 + sin(2*pi*i/(n + 1)) for i in 1:n}, each fixed = true);
  Real v[n](each start = 3, each fixed = true);
equation
  for i in 1:n loop
    der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i] + d*((if i > 1 then u[i - 1] else 1) - 2*u[i] + (if i < n then u[i + 1] else 1));
    der(v[i]) = 3*u[i] - u[i]^2*v[i] + d*((if i > 1 then v[i - 1] else 3) - 2*v[i] + (if i < n then v[i + 1] else 3));
  end for;
  annotation(experiment(StopTime = 10));
end Brusselator;
