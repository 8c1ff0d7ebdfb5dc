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
end P;
model M
  Real y = P.limited(time, "flow");
  Real z = P.second(time);
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real y;
//|   Real z;
//| equation
//|   y = limited(time);
//|   z = second(time);
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
//| end M;
