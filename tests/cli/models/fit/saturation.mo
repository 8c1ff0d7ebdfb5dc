// Michaelis and Menten's kinetics.
model Saturation
  parameter Real Vmax = 1, Km = 100;
  Real S(start = 1, fixed = true);
equation
  der(S) = -Vmax*S/(Km + S);
end Saturation;
