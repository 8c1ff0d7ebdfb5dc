model ForcedState "y is ordered to be the state, though only x is differentiated"
  Real x(start = 1), y(start = 2, fixed = true, stateSelect = StateSelect.always);
equation
  der(x) = -x;
  y = 2*x + time;
end ForcedState;
