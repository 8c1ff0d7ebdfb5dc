// class: ObjectiveIsAVariable
// A variable alone is taken at the final time, and counted once where it is marked as well.
optimization ObjectiveIsAVariable(objective = cost)
  Real x(start = 1, fixed = true);
  input Real u(min = -1, max = 1);
  Real cost = x^2 annotation(isMayer = true);
equation
  der(x) = u - x;
  annotation(experiment(StopTime = 2));
end ObjectiveIsAVariable;
//| objective_is_a_variable.mo:3:47: warning: the objective varies with time: its value at the final time is taken [W362]
//|   3 | optimization ObjectiveIsAVariable(objective = cost)
//|     |                                               ^~~~
//| model ObjectiveIsAVariable
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 2;
//|   Real x(start = 1, fixed = true);
//|   input Real u(min = -1, max = 1);
//|   Real cost;
//| equation
//|   cost = x^2;
//|   der(x) = u - x;
//| optimization
//|   minimize cost(finalTime);
//|   annotation(experiment.StopTime = 2);
//| end ObjectiveIsAVariable;
