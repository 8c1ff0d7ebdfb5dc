// Branches that a known condition leaves out need not make sense.
package Branches
  function between
    input Integer n;
    output Real v[n];
  algorithm
    v := if n == 1 then {7.0} else linspace(1.0, 2.0, n);
  end between;
  model Sizes "the branches have other sizes"
    Real y[3] = between(3);
    Real z[1] = between(1);
  end Sizes;
  function fetch
    input String name;
    output Real y;
  algorithm
    assert(false, "there is no value of " + name);
    y := 1;
  end fetch;
  model Start
    parameter Boolean load = false;
    parameter String name = "x";
    Real x(start = if load then fetch(name) else 3, fixed = true);
  equation
    der(x) = 0;
  end Start;
  model Initial
    parameter Boolean load = false;
    parameter Boolean other = false;
    Real x;
    Real z;
  initial equation
    x = if load then fetch("x") elseif other then fetch("y") else 4;
    if other then
      z = fetch("z");
    elseif not load then
      z = 5;
    end if;
  equation
    der(x) = 0;
    der(z) = 0;
  end Initial;
  model Index "an element that is not there"
    constant Integer n = 2;
    parameter Real v[n] = {1, 2};
    Real y = time*(if n > 2 then v[3] else v[2]);
    Real z = time*(if n == 2 then v[1] elseif n == 4 then v[4] else v[3]);
  end Index;
  record R
    Real v[2];
  end R;
  function made
    input Real x[:];
    output R r;
  algorithm
    r := if size(x, 1) == 2 then R(v = x) else R(v = cat(1, x, {1 - sum(x)}));
  end made;
  model Records "the last part is what is left of 1"
    R a = made({0.25});
    R b = made({0.5, 0.5});
  end Records;
  function slopes "what would be x[2] of one element is not reached"
    input Real x[:];
    output Real d[size(x, 1)];
  protected
    Integer n = size(x, 1);
    Boolean several = n > 1;
  algorithm
    if not several then
      d[1] := 9;
    else
      d[1] := x[2] - x[1];
      for i in 2:n loop
        d[i] := x[i] - x[i - 1];
      end for;
    end if;
  end slopes;
  function shared "local variables and outputs as large as what they are given"
    input Real x[:];
    output Real y[:];
  protected
    Real all[:];
    Real twice[:, :];
  algorithm
    all := cat(1, x, {sum(x)});
    twice := {all, 2*all};
    y := twice[2, :];
  end shared;
  model Statements
    Real one[1] = slopes({time});
    Real three[3] = slopes({time, 3*time, 7*time});
    Real s[3] = shared({time, 2*time});
  end Statements;
  function share "of a substance among others, by its name in whatever case"
    input Real x[:];
    input String names[:];
    input String name;
    output Real y = 0;
  protected
    Boolean found = false;
  algorithm
    for i in 1:size(names, 1) loop
      if Modelica.Utilities.Strings.isEqual(names[i], name, caseSensitive = false) then
        y := x[i];
        found := true;
      end if;
    end for;
    assert(found, "there is no " + name);
  end share;
  model Texts
    constant String names[2] = {"Water", "CO2"};
    Real x[2] = {time, 1 - time};
    Real y = share(x, names, "co2"), z = share(x, names, "WATER");
    Boolean same[3] = {Modelica.Utilities.Strings.compare(names[1], names[2]) == Modelica.Utilities.Types.Compare.Greater,
      names[1] == "Water", names[2] < "CO2"};
  end Texts;
end Branches;
