model InMetres "a tank that runs empty"
  parameter Real k(unit = "1/s") = 0.5;
  Real level(unit = "m", start = 1, fixed = true);
equation
  der(level) = -k*level;
end InMetres;
