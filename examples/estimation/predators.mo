// Predators and prey, both counted (`scripts/estimation --data`: a = 1, b = 0.5, c = 0.3, d = 0.8, noise 0.05).
model Predators
  parameter Real a = 1, b = 0.5, c = 0.3, d = 0.8 "rates of birth, of being eaten, of growth by eating, of death";
  Real x(start = 2, fixed = true) "prey", y(start = 1, fixed = true) "predators";
equation
  der(x) = a*x - b*x*y;
  der(y) = c*x*y - d*y;
annotation(experiment(StopTime = 10));
end Predators;
