// The rates of examples/inversion_rates.mo without conditions: every data set has parameters of its own.
model InversionPlain
  parameter Real p[8](each free = true, each initialGuess = 0);
  Real x(start = p[7], fixed = true);
  Real y(start = p[8], fixed = true);
equation
  der(x) = p[1] + p[2]*x + p[3]*y;
  der(y) = p[4] + p[5]*x + p[6]*y;
end InversionPlain;
