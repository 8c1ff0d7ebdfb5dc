// class: M
model M
  block State
    outer output Integer i;
  equation
    i = previous(i) + 1;
  end State;
  inner Integer i(start = 0);
  State a, b;
equation
  initialState(a);
  transition(a, b, i > 10);
end M;
//| fail_unsupported_state_machine.mo:11:3: error: the operator `initialState` is not supported yet [E301]
//|   11 |   initialState(a);
//|      |   ^~~~~~~~~~~~~~~
//| fail_unsupported_state_machine.mo:12:3: error: the operator `transition` is not supported yet [E301]
//|   12 |   transition(a, b, i > 10);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~
