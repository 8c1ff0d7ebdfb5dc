// The problem of van_der_pol.mop in the words of OpenModelica's optimiser: annotations on variables of a plain model.
// The same NLP, the same optimum to the last digits: 3.1761958.
model VanDerPol
  Real x1(start = 0, fixed = true);
  Real x2(start = 1, fixed = true);
  input Real u(max = 0.75);
  Real running_cost = x1^2 + x2^2 + u^2 annotation(isLagrange = true);
equation
  der(x1) = (1 - x2^2)*x1 - x2 + u;
  der(x2) = x1;
  annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-8, Interval = 0.4));
end VanDerPol;
