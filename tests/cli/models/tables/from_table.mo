model FromTable
  parameter Real data[:, :] = Modelica.DOML.readTable("t.csv");
  Real x(start = 0, fixed = true);
equation
  der(x) = data[2, 2];
end FromTable;
