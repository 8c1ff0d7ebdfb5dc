within Modelica.Blocks;
package Types "Choices"
  extends Modelica.Icons.TypesPackage;
  type Init = enumeration(
      NoInit "no equations: start values are guesses",
      SteadyState "derivatives are zero",
      InitialState "states have their start values",
      InitialOutput "outputs have their start values") "How a block begins";
end Types;
