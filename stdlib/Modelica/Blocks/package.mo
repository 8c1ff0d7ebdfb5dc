within Modelica;
package Blocks "Blocks with inputs and outputs, without events"
  extends Modelica.Icons.Package;
end Blocks;
