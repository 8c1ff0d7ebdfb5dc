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
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x(start = 0);
//|   Real y[2];
//|   Boolean high;
//|   Boolean $when1;
//|   Boolean $when2[2];
//| equation
//|   der(x) = 1;
//|   y[1] = x*1;
//|   y[2] = x*2;
//| discrete equation
//|   high = x > 2;
//|   $when1 = x > 1;
//|   $when2[1] = y[1] > 1;
//|   $when2[2] = y[2] > 1;
//|   when if initial() then 0 else $when1 and not pre($when1): Modelica.Utilities.Streams.print(name + " is " + String(x, format = ".3f") + (if high then "!" else "")), x, high;
//|   at events: say(x), x;
//|   assert(x < 3, "level {0} at {1}", x, high);
//|   when if initial() then 0 else $when2[1] and not pre($when2[1]): say(y[i]), y[1];
//|   when if initial() then 0 else $when2[2] and not pre($when2[2]): say(y[i]), y[2];
//| end M;
