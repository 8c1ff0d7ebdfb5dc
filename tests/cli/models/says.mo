// What a model says while it runs: at the start, at ticks, at events, at the end.
package Says
  type Phase = enumeration(idle, busy);
  function shown
    input Real x;
    input String unit;
    output String text;
  algorithm
    text := String(x, format = ".2f") + " " + unit;
  end shown;
  function report
    input String what;
    input Real values[:];
  protected
    Real total = sum(values);
  algorithm
    for k in 1:size(values, 1) loop
      Modelica.Utilities.Streams.print(what + "[" + String(k) + "] = " + String(values[k]));
    end for;
    Modelica.Utilities.Streams.print(what + " in all " + String(total));
  end report;
  model Ticks
    parameter String name = "height";
    parameter Integer digits = 3;
    Real x(start = 0, fixed = true);
    discrete Integer n(start = 0, fixed = true);
    Boolean late;
    Phase phase;
  equation
    der(x) = 1;
    late = x > 1.5;
    phase = if late then Phase.busy else Phase.idle;
    when sample(0.5, 1.25) then
      n = pre(n) + 1;
      Modelica.Utilities.Streams.print(name + " " + String(x/3, significantDigits = digits) + " at tick " + String(n, minimumLength = 4) +
        (if late then ", late" else ", early") + " " + String(late) + " " + String(phase) + ": " + shown(x, "m"));
    end when;
    when initial() then
      report("start", {x, 2*time + 7});
    end when;
    when terminal() then
      Modelica.Utilities.Streams.print("the end at " + String(time));
    end when;
  end Ticks;
  model Steps
    Real x(start = 0, fixed = true), y;
  equation
    der(x) = 1;
  algorithm
    y := 2*x;
    when {x > 1, x > 2} then
      y := y + 1;
      if x > 1.5 then
        Modelica.Utilities.Streams.print("second, y = " + String(y));
      else
        Modelica.Utilities.Streams.print("first, y = " + String(y));
      end if;
    end when;
  end Steps;
  model File
    parameter String file;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
    when sample(0, 1) then
      Modelica.Utilities.Streams.print(String(x, format = ".4f"), file);
    end when;
  end File;
  function checked
    input Real x;
    output Real y = x;
  algorithm
    if x > 0.5 then
      Modelica.Utilities.Streams.error("too large");
    end if;
  end checked;
  model FailsInside
    Real x(start = 0, fixed = true);
  equation
    der(x) = 0.5 + checked(x);
  end FailsInside;
  model Fails
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    when x > 0.75 then
      Modelica.Utilities.Streams.error("x is " + String(x));
    end when;
  end Fails;
  model Asserts
    parameter String name = "valve";
    Real x(start = 0, fixed = true);
    Boolean open = x > 0.5;
  equation
    der(x) = 1;
    assert(x < 1, name + (if open then " open" else " shut") + ": x is " + String(x, format = ".0f") + ", " + String(open));
  end Asserts;
  model AtEvents
    Real x(start = 0, fixed = true);
    Boolean high = x > 0.5;
  initial equation
    Modelica.Utilities.Streams.print("first " + String(x));
  equation
    der(x) = 1;
    Modelica.Utilities.Streams.print("now " + String(high));
  end AtEvents;
  model Array
    parameter Integer n = 3;
    Real x[n](each start = 0, each fixed = true);
  equation
    der(x) = {1, 2, 3};
    for i in 1:n loop
      when x[i] > 1 then
        Modelica.Utilities.Streams.print("x[" + String(i) + "] = " + String(x[i]) + ", sum " + String(sum(x), significantDigits = 2));
      end when;
    end for;
  end Array;
end Says;
