model FormAnnotated
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(solver(form = "reduced"));
end FormAnnotated;
