// class: P
model P
  input Real u(min = -1, max = 1);
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real end_point(min = 0, max = 0.1) = x annotation(isFinalConstraint = true);
  Real speed(max = 2) = v annotation(isConstraint = true);
  Real effort = u^2 annotation(isLagrange = true);
  Real miss = x^2 annotation(isMayer = true);
equation
  der(x) = v;
  der(v) = u;
  annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-8, Interval = 0.1));
end P;
//| model P
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 2;
//|   input Real u(min = -1, max = 1);
//|   Real x(start = 1, fixed = true);
//|   Real v(start = 0, fixed = true);
//|   Real end_point;
//|   Real speed(max = 2);
//|   Real effort;
//|   Real miss;
//| equation
//|   end_point = x;
//|   speed = v;
//|   effort = u^2;
//|   miss = x^2;
//|   der(x) = v;
//|   // 1 more like `end_point = x`
//| optimization
//|   minimize miss(finalTime);
//|   minimize integral(effort);
//| constraint
//|   end_point(finalTime) >= 0;
//|   end_point(finalTime) <= 0.1;
//|   annotation(experiment.StartTime = 0, experiment.StopTime = 2, experiment.Tolerance = 1e-08, experiment.Interval = 0.1);
//| end P;
