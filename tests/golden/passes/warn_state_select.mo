// class: Decay
model Decay
  Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
equation
  der(x) = -x;
end Decay;
