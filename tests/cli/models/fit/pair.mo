model Pair "w = (1, 2) exp(-k t)"
  parameter Real k = 1;
  Real w[2](start = {1, 2}, each fixed = true);
equation
  der(w) = -k*w;
end Pair;
