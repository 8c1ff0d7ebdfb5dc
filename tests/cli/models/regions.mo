// A property in regions, as steam has: which of many formulas counts is decided by nested comparisons, and the others are not
// defined where they do not count.
package Regions
  function edge "between the regions of high pressure"
    input Real p;
    output Real h;
  algorithm
    h := 3 + sqrt(p - 13);
  end edge;
  function series "a long formula: x + x^2/2 + … + x^60/60"
    input Real x;
    output Real y;
  algorithm
    y := 0;
    for k in 1:60 loop
      y := y + x^k/k;
    end for;
  end series;
  function region
    input Real p;
    input Real h;
    output Integer r;
  algorithm
    if p < 1 then
      r := if h < 1 then 1 else 2;
    elseif p < 13 then
      if h < 1 then
        r := 3;
      elseif h < log(p) + 8 then
        r := 4;
      else
        r := 5;
      end if;
    else
      if h < edge(p) then
        r := 6;
      elseif h < 2*edge(p) then
        r := 7;
      else
        r := 8;
      end if;
    end if;
  end region;
  function density
    input Real p;
    input Real h;
    output Real d;
  protected
    Integer r = region(p, h);
  algorithm
    if r == 1 then
      d := 10 + series(h/2);
    elseif r == 2 then
      d := 20 + sqrt(h - 1)*series(1/h);
    elseif r == 3 then
      d := p*(2 + h^2);
    elseif r == 4 then
      d := log(p)*series(h/20);
    elseif r == 5 then
      d := sqrt(h - log(p) - 8)*series(1/h);
    elseif r == 6 then
      d := sqrt(edge(p) - h)*series(h/100);
    else
      d := edge(p)*series(1/h);
    end if;
  end density;
  model Held "in the third region: p (2 + h^2) = 12, der(p) = h"
    Real p(start = 2, fixed = true);
    Real h(start = 0.5);
    Real g = p*(2 + 0.5^2);
  equation
    der(p) = 0.5;
    density(p, h) = 2.25*p;
  end Held;
end Regions;
