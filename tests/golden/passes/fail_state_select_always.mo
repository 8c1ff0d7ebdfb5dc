// class: Steps
model Steps
  Real v(stateSelect = StateSelect.always) = if time < 0.5 then 1.0 else 5.0;
end Steps;
//| fail_state_select_always.mo:3:8: error: `v` has stateSelect = StateSelect.always but cannot be a state [E418]
//|   3 |   Real v(stateSelect = StateSelect.always) = if time < 0.5 then 1.0 else 5.0;
//|     |        ^
//| fail_state_select_always.mo:3:8: note: given by the constraint: v(stateSelect = StateSelect.always) = if time < 0.5 then …
//|   3 |   Real v(stateSelect = StateSelect.always) = if time < 0.5 then 1.0 else 5.0;
//|     |        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
