// Which rate constants depend on which operating conditions: the first example of [MI, section 4]. Six data sets, made under
// the conditions c2 and c3 with noise of 0.1; 24 coefficients, 10 of which are 0.
//
//   bolza identify inversion_rates.mo --data inversion_rates.csv --conditions inversion_rates_conditions.csv
model InversionRates
  parameter Real c2 = 0 "operating condition";
  parameter Real c3 = 0 "operating condition";
  parameter Real A[8, 3](each free = true, each selectable = true, each initialGuess = 0) "p by conditions 1, c2, c3";
  final parameter Real p[8] = A*{1, c2, c3};
  Real x(start = p[7], fixed = true);
  Real y(start = p[8], fixed = true);
equation
  der(x) = p[1] + p[2]*x + p[3]*y;
  der(y) = p[4] + p[5]*x + p[6]*y;
end InversionRates;
