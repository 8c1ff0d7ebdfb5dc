// class: Decay
model Decay
  Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
equation
  der(x) = -x;
end Decay;
//| warn_state_select.mo:3:8: warning: `x` has stateSelect = StateSelect.never but is a state [W407]
//|   3 |   Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
//|     |        ^
