// class: Shafts
model Inertia
  parameter Real J = 1;
  Real phi(stateSelect = StateSelect.always), w, tau;
equation
  der(phi) = w;
  J*der(w) = tau;
end Inertia;
model Shafts
  parameter Real gap = 0.1, ratio = 2;
  Inertia a, b;
equation
  a.phi = ratio*b.phi + gap;
  ratio*a.tau + b.tau = 1;
end Shafts;
//| fail_state_select.mo:4:8: error: `b.phi` has stateSelect = StateSelect.always but cannot be a state [E418]
//|   4 |   Real phi(stateSelect = StateSelect.always), w, tau;
//|     |        ^~~
//| fail_state_select.mo:13:3: note: given by the constraint: a.phi = ratio*b.phi + gap
//|   13 |   a.phi = ratio*b.phi + gap;
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_state_select.mo:4:8: note: a state: `a.phi`
//|   4 |   Real phi(stateSelect = StateSelect.always), w, tau;
//|     |        ^~~
