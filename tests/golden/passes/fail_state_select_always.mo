// class: Steps
model Steps
  Real v(stateSelect = StateSelect.always) = if time < 0.5 then 1.0 else 5.0;
end Steps;
//| fail_state_select_always.mo:3:8: error: `v` has stateSelect = StateSelect.always but cannot be a state: the equations give its value [E426]
//|   3 |   Real v(stateSelect = StateSelect.always) = if time < 0.5 then 1.0 else 5.0;
//|     |        ^
