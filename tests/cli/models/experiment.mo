// A problem in OpenModelica's form; its horizon is that of the experiment. Over a time T the least is 1/(1 + T).
model Experiment
  Real x(start = 1, fixed = true);
  input Real u;
  Real effort = u^2 annotation(isLagrange = true);
  Real miss = x^2 annotation(isMayer = true);
equation
  der(x) = u;
  annotation(experiment(StopTime = 1));
end Experiment;
