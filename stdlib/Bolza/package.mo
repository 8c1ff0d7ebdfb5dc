within;
package Bolza "What Bolza offers beside the Modelica library"
  annotation(Documentation(info = "Blocks for models of which a part is not known: <code>bolza identify</code> finds their coefficients. Tables with exact derivatives."));
end Bolza;
