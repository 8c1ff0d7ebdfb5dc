model OppositeAtStart "b is the opposite of c, which keeps what it was; the call sees b"
  impure function code
    input Boolean b;
    output Integer id;
  algorithm
    Modelica.Utilities.Streams.print(if b then "b holds" else "b does not hold");
    id := if b then 7 else 3;
  end code;
  final parameter Integer id(fixed = false);
  Boolean b, c;
equation
  b = not c;
  when time > 10 then
    c = not pre(c);
  end when;
initial equation
  b = true;
  id = code(b);
end OppositeAtStart;
