// class: M
model M
  Real x(start = 1);
equation
  der(x) = -x + sample(1, Clock(Clock(1, 10), solverMethod = "Heun"));
end M;
//| fail_solver_method.mo:5:62: error: there is no solver method `Heun` [E466]
//|   5 |   der(x) = -x + sample(1, Clock(Clock(1, 10), solverMethod = "Heun"));
//|     |                                                              ^~~~~~
