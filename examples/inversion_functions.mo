// Four unknown functions of the state, each a straight line and three B-splines: the second example of [MI, section 5]. Two of
// them turn out to be straight lines.
//
//   bolza identify inversion_functions.mo --data inversion_functions.csv --report inversion_functions.html
model InversionFunctions
  parameter Real p[2](each free = true, each selectable = true, each initialGuess = 0) "constants";
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Bolza.Identification.BSpline Sxx(lower = 0, upper = 4, n = 3, u = x);
  Bolza.Identification.BSpline Sxy(lower = 0, upper = 4, n = 3, u = y);
  Bolza.Identification.BSpline Syx(lower = 0, upper = 4, n = 3, u = x);
  Bolza.Identification.BSpline Syy(lower = 0, upper = 4, n = 3, u = y);
equation
  der(x) = p[1] - Sxx.y + Sxy.y;
  der(y) = p[2] + Syx.y - Syy.y;
end InversionFunctions;
