// class: Shafts
model Inertia
  parameter Real J = 1;
  Real phi, w(start = 2, fixed = true), tau;
equation
  der(phi) = w;
  J*der(w) = tau;
end Inertia;
model Shafts
  Inertia a, b;
equation
  a.phi = 3*b.phi;
  3*a.tau + b.tau = 1;
end Shafts;
//| warn_initial_equations.mo:4:13: warning: more initial equations than can be satisfied in general: 1 too many [W408]
//|   4 |   Real phi, w(start = 2, fixed = true), tau;
//|     |             ^
//| warn_initial_equations.mo:4:13: note: one of them: w
//|   4 |   Real phi, w(start = 2, fixed = true), tau;
//|     |             ^
//| warn_initial_equations.mo:4:13: note: a fixed start: `a.w`
//|   4 |   Real phi, w(start = 2, fixed = true), tau;
//|     |             ^
