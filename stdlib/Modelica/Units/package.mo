within Modelica;
package Units "Types with quantities and units"
  extends Modelica.Icons.Package;
end Units;
