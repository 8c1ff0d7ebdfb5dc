// A year of hours in five smooth columns: numbers are data of the program, not statements.
model Year
  parameter Integer hours = 8760;
  Modelica.Blocks.Tables.CombiTable1Ds weather(table = transpose(cat(1, {{3600.0*k for k in 0:hours - 1}},
    {{10*c + 5*sin(2*3.14159265358979*k/24 + c) for k in 0:hours - 1} for c in 1:5})), columns = 2:6,
    smoothness = Modelica.Blocks.Types.Smoothness.ContinuousDerivative);
  Real heat[5](each start = 0, each fixed = true);
equation
  weather.u = time;
  der(heat) = weather.y/3600;
  annotation(experiment(StopTime = 864000));
end Year;
