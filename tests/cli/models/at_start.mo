model AtStart "a call in an initial equation is made once, with what the other equations give"
  impure function announce
    input Integer seed;
    output Integer id;
  algorithm
    Modelica.Utilities.Streams.print("seed " + String(seed));
    id := 2*seed;
  end announce;
  final parameter Integer id(fixed = false), seed(fixed = false);
  parameter Integer first = 20;
  Real x(start = 0, fixed = true);
initial equation
  id = announce(seed);
  seed = first + 1;
equation
  der(x) = id;
end AtStart;
