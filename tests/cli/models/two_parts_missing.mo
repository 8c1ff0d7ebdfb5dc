model TwoPartsMissing
  Modelica.Mechanics.Rotational.Components.Inertia inertia;
  Modelica.Electrical.Analog.Basic.Resistor resistor;
end TwoPartsMissing;
