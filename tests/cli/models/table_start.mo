// Tables of time whose start follows from initial equations.
model TableStart
  Modelica.Blocks.Sources.CombiTimeTable daily(table = [0, 1; 6, 2; 12, 4; 24, 1], startTime = t0,
    extrapolation = Modelica.Blocks.Types.Extrapolation.Periodic);
  Modelica.Blocks.Sources.CombiTimeTable steps(table = [0, 1; 2, 3; 2, 5; 4, 5], startTime = t0 + 24, shiftTime = t0 + 23,
    smoothness = Modelica.Blocks.Types.Smoothness.ConstantSegments);
  Real y = daily.y[1], s = steps.y[1];
protected
  parameter Real t0(fixed = false);
initial equation
  t0 = integer(time/24)*24;
end TableStart;
