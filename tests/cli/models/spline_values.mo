// Values of unknown functions at and beyond their knots.
model SplineValues
  Bolza.Identification.BSpline first[7](each lower = 0, each upper = 4, each n = 3, each A(each free = false) = {{0}, {1}, {0}, {0}}, u = at);
  Bolza.Identification.BSpline second[7](each lower = 0, each upper = 4, each n = 3, each A(each free = false) = {{0}, {0}, {1}, {0}}, u = at);
  Bolza.Identification.BSpline third[7](each lower = 0, each upper = 4, each n = 3, each A(each free = false) = {{0}, {0}, {0}, {1}}, u = at);
  Bolza.Identification.BSpline line(lower = 1, upper = 2, c = {1, 3}, A(each free = false) = {{2, 1}, {0, 0}, {0, 0}, {0, 0}}, u = 1.5);
  Bolza.Identification.NaturalSpline g[9](each knots = 0:4, each A(each free = false) = {{0}, {2.6875}, {5}, {6.6875}, {8}},
    u = {0, 1, 2, 3, 4, 0.5, 1.5, -1, 5});
  parameter Real at[7] = {0, 1, 2, 3, 4, -1, 5};
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end SplineValues;
