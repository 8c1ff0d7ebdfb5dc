model Relaxation "flows in and out; what is in it rests at inflow/outflow"
  parameter Real inflow = 2, outflow = 0.5, start = 1;
  Real x(start = start, fixed = true), twice;
equation
  der(x) = inflow - outflow*x;
  twice = 2*x;
end Relaxation;
