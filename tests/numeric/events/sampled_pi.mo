model SampledPI "a discrete controller of a continuous plant"
  parameter Real Ts = 0.1, kp = 1.5, ki = 2;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), sum(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, Ts) then
    sum = pre(sum) + ki*Ts*(1 - x);
    u = kp*(1 - x) + sum;
  end when;
end SampledPI;
