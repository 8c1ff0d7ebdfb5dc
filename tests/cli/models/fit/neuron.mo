// FitzHugh and Nagumo's neuron, of which the voltage is measured; the values are those of a fit.
model Neuron
  parameter Real a = 0.205525822, b = 0.137799763, c = 3.02167079, R0 = 0.993792352;
  Real V(start = -1, fixed = true) "voltage", R(start = R0, fixed = true) "recovery";
equation
  der(V) = c*(V - V^3/3 + R);
  der(R) = -(V - a + b*R)/c;
end Neuron;
