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
