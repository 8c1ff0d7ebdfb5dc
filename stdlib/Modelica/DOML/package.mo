within Modelica;
package DOML "What dynamic optimisation needs beyond the language: data, and signals made of data"
  extends Modelica.Icons.Package;

  function readTable "the numbers of a CSV file as a matrix, without its heading line; the path is relative to the model's file"
    extends Modelica.Icons.Function;
    input String fileName;
    output Real table[:, :];
  external "builtin" table = readTable(fileName);
  end readTable;
end DOML;
