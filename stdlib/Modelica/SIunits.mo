within Modelica;
package SIunits "The types of Modelica.Units under the name they had before version 4 of the library"
  extends Modelica.Units.SI;

  package Conversions "Conversion of units"
    extends Modelica.Units.Conversions;
    package NonSIunits = Modelica.Units.NonSI "Units outside the International System";
  end Conversions;

  type Temp_K = Modelica.Units.SI.ThermodynamicTemperature;
  type CelsiusTemperature = Real(final quantity = "ThermodynamicTemperature", final unit = "degC");
end SIunits;
