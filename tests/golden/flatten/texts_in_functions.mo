// class: M
package P
  function limited "a text is put together where it is needed only"
    input Real x;
    input String name = "nobody";
    output Real y;
  protected
    String what;
    String kind = "limit of " + name;
    String start = "start";
    Integer worse = if name == "flow" then 2 else 1;
  algorithm
    start := "end";
    if x > 5 then
      what := "";
      for i in 1:3 loop
        what := what + " " + String(i*x);
      end for;
      assert(x < 6, kind + ": " + what + " " + start);
      assert(x < 7, "of " + name);
    end if;
    y := worse*x;
  end limited;
  function with_text
    input Real x;
    output String s;
    output Real y;
  algorithm
    s := if x > 2 then "a" else "b";
    y := x;
  end with_text;
  function second
    input Real x;
    output Real y;
  protected
    String s = "z";
    Real a;
  algorithm
    (s, a) := with_text(x);
    y := a + 1;
  end second;
  record Cable
    parameter String name = "?";
    parameter Real amp = 1;
  end Cable;
  function chosen "records with texts"
    input Real x;
    output Cable c;
  protected
    Cable thin(name = "thin", amp = 10), thick(name = "thick", amp = 30);
  algorithm
    c := if x < thin.amp then thin else thick;
    assert(x < thick.amp, "too much for " + thick.name + ", " + c.name);
  end chosen;
  function places
    input Boolean mask[:];
    output Integer k[count(mask)];
  protected
    Integer n = 0;
  algorithm
    for i in 1:size(mask, 1) loop
      if mask[i] then
        n := n + 1;
        k[n] := i;
      end if;
    end for;
  end places;
  function count
    input Boolean mask[:];
    output Integer n = 0;
  algorithm
    for i in 1:size(mask, 1) loop
      n := n + (if mask[i] then 1 else 0);
    end for;
  end count;
  function capacity
    input Real x;
    output Real y;
  protected
    Cable c;
  algorithm
    c := chosen(x);
    y := c.amp;
  end capacity;
end P;
model M
  Real y = P.limited(time, "flow");
  Real z = P.second(time);
  Real c = P.capacity(time);
  parameter Boolean mask[3] = {true, false, true};
  Real k[:] = {time*i for i in P.places(mask)};
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real y;
//|   Real z;
//|   Real c;
//|   parameter Boolean mask[3](fixed = true) = {1, 0, 1};
//|   Real k[2];
//| equation
//|   y = limited(time);
//|   z = second(time);
//|   c = capacity(time);
//|   k[1] = time*1;
//|   k[2] = time*3;
//| function limited(x) -> (y)
//|   worse := 2;
//|   if x > 5 then
//|     for i in 1:1:3 loop
//|     end
//|     assert(x < 6, "limit of flow: … …");
//|     assert(x < 7, "of flow");
//|   else
//|   end
//|   y := x*2;
//| end limited;
//| function with_text(x) -> (y)
//|   y := x;
//| end with_text;
//| function second(x) -> (y)
//|   (with_text) := with_text(x);
//|   a := with_text;
//|   y := a + 1;
//| end second;
//| function chosen(x) -> (c.amp)
//|   c.amp := 1;
//|   thin.amp := 10;
//|   thick.amp := 30;
//|   c.amp := if x < thin.amp then thin.amp else thick.amp;
//|   assert(x < thick.amp, "too much for thick, …");
//| end chosen;
//| function capacity(x) -> (y)
//|   c.amp := 1;
//|   (chosen) := chosen(x);
//|   c.amp := chosen;
//|   y := c.amp;
//| end capacity;
//| end M;
