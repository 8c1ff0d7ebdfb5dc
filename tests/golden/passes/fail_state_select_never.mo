// class: Decay
model Decay
  Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
equation
  der(x) = -x;
end Decay;
//| fail_state_select_never.mo:3:8: error: `x` has stateSelect = StateSelect.never, but nothing can be a state in its place [E427]
//|   3 |   Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
//|     |        ^
