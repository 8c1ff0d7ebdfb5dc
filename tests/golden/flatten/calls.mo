// class: M
// Calls for their effect, and messages whose texts are known while the model runs.
model M
  function say
    input Real x;
    external "C" log1p(x);
  end say;
  parameter String name = "level";
  Real x(start = 0), y[2];
  Boolean high = x > 2;
equation
  der(x) = 1;
  when x > 1 then
    Modelica.Utilities.Streams.print(name + " is " + String(x, format = ".3f") + (if high then "!" else ""));
  end when;
  say(x);
  assert(x < 3, name + " " + String(x) + " at " + String(high));
  for i in 1:2 loop
    y[i] = i*x;
    when y[i] > 1 then
      say(y[i]);
    end when;
  end for;
end M;
