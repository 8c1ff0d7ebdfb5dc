// class: M
model M
  Real x(start = 0), v(start = 0), f;
  Clock c = Clock(Clock(1, 10), "ExplicitEuler");
equation
  der(x) = v;
  der(v) = f;
  x = sample(sin(time), c);
end M;
//| fail_clocked_index.mo:8:3: error: `x` is differentiated on a clock, but other equations there determine it [E494]
//|   8 |   x = sample(sin(time), c);
//|     |   ^~~~~~~~~~~~~~~~~~~~~~~~
