model Settings "what `--set` of the pages changes: tests/docs/inline.json"
  model Cells
    parameter Integer n = 2;
    Real y[n](each start = 1, each fixed = true);
  equation
    for i in 1:n loop
      der(y[i]) = -y[i];
    end for;
  end Cells;
  parameter Real k = 1, R = 1;
  Cells c;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*R*x;
end Settings;
