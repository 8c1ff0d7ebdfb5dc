// class: M
model M
  Real a(start = 3), b, c;
  Clock one = Clock(Clock(1, 4), "ExplicitEuler"), other = Clock(Clock(1, 2), "ImplicitEuler");
equation
  der(a) = sample(2, one) - a;
  der(b) = sample(1, other)*subSample(a, 2);
  der(c) = subSample(a, 8) + subSample(b) - c;
end M;
//| fail_two_solver_methods.mo:4:60: error: these equations get two solver methods: ExplicitEuler and ImplicitEuler [E479]
//|   4 |   Clock one = Clock(Clock(1, 4), "ExplicitEuler"), other = Clock(Clock(1, 2), "ImplicitEuler");
//|     |                                                            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_two_solver_methods.mo:4:15: note: the other one
//|   4 |   Clock one = Clock(Clock(1, 4), "ExplicitEuler"), other = Clock(Clock(1, 2), "ImplicitEuler");
//|     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
