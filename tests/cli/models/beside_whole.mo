// Fields that sizes depend on, given alongside the value of the whole record: they have to agree.
package BesideWhole
  record R
    parameter Integer n = 1;
    Real x[n];
  end R;
  function two
    input Real u;
    output R r(n = 2);
  algorithm
    r.x := {u, 2*u};
  end two;
  function many
    input Integer m;
    input Real u;
    output R r(n = m);
  algorithm
    r.x := u*(1:m);
  end many;
  function unsaid "n stands in the value of the output only"
    input Real u;
    output R r = R(n = 2, x = {u, u});
  algorithm
  end unsaid;
  model Fits
    parameter Integer m = 2;
    R a(n = 2) = two(time), b(n = m + 1) = many(m + 1, time), c(n = 2) = unsaid(time);
    parameter R p(n = 3) = many(3, 1.5);
    Real total = sum(a.x) + sum(b.x) + sum(c.x) + sum(p.x);
  end Fits;
  model Base
    R r = two(time);
  end Base;
  model Extended "said where the class is extended"
    extends Base(r(n = 2));
  end Extended;
  model Other
    R r(n = 3) = two(time);
  end Other;
  model OtherSize
    R r(n = 3) = unsaid(time);
  end OtherSize;
  model NoSize
    R r(x = {1, 2}) = two(time);
  end NoSize;
end BesideWhole;
