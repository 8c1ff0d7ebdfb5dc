// class: Steps
model Steps
  Real v(stateSelect = StateSelect.always) = if time < 0.5 then 1.0 else 5.0;
end Steps;
