model Names "Strings decide sizes, branches and messages"
  import Modelica.Utilities.Strings;
  parameter String name = "abc";
  final parameter Integer n = Strings.length(name);
  parameter Boolean fast = Strings.isEqual(name, "ABC", caseSensitive = false);
  Modelica.SIunits.MolecularConcentration x[n](each start = 1, each fixed = true);
equation
  der(x) = if fast then -2*x else -x;
  assert(n > 2, "too short: " + name);
initial algorithm
  Modelica.Utilities.Streams.print("started " + name);
end Names;
