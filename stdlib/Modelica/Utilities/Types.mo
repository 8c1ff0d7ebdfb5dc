within Modelica.Utilities;
package Types "Types of the utilities"
  extends Modelica.Icons.TypesPackage;

  type Compare = enumeration(
      Less "the first comes before the second",
      Equal "both are the same",
      Greater "the first comes after the second") "Order of two strings";
end Types;
