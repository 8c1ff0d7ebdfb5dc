// An unknown rate as a small neural network.
model NeuralRate
  Real x(start = 1, fixed = true);
  Bolza.Identification.NeuralNetwork rate(nh = 2);
equation
  rate.u[1] = x;
  der(x) = rate.y[1];
end NeuralRate;
