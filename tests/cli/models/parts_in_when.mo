model PartsInWhen "branches of a when-clause set different parts of an array"
  constant Integer first[2] = {1, 2}, second[2] = {3, 4};
  Boolean gates[4](start = {true, true, false, false}, each fixed = true);
  Integer calls(start = 0, fixed = true);
  Real on[2];
equation
  when sample(1, 1) then
    calls = pre(calls) + 1;
    if mod(calls, 3) <> 0 then
      gates[{first[1], second[1]}] = pre(gates[{second[1], first[1]}]);
      gates[{first[2], second[2]}] = {not pre(gates[2]), pre(gates[4])};
    else
      gates = pre(gates);
    end if;
  end when;
  on = {if gates[1] then 1 else 0, if gates[2] then 1 else 0};
end PartsInWhen;

model Named
  parameter String name = "?";
  parameter Real at = 1;
  Boolean on(start = false, fixed = true);
equation
  when time >= at then
    on = true;
    Modelica.Utilities.Streams.print(name + " is on at " + String(time));
  end when;
  assert(time < 3 or at > 1.5, "it was " + name, AssertionLevel.warning);
end Named;

model Several "components of an array with texts of their own"
  Named s[3](name = {"first", "second", "third"}, at = {1, 2, 2});
end Several;
