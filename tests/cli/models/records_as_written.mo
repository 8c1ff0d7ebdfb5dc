// Records as they are written by people who have not read a compiler.
package RecordsAsWritten
  record Point
    Real x, y;
  end Point;
  record Named
    parameter Integer n = 1 "a default, which an argument need not have";
    Real v[n];
  end Named;
  function total
    input Named r;
    output Real y = sum(r.v);
  algorithm
  end total;
  model Defaults
    Named r(n = 2, v = {time, 1});
    Real y = total(r) + total(Named(n = 3, v = {1, 2, 3}));
    parameter Real p = total(Named(n = 3, v = {1, 2, 3}));
    Real q = p*time;
  end Defaults;
  model Literally "noEvent of a record"
    Point a(x = time, y = 1), b(x = 2, y = time), c = noEvent(if time > 0.5 then a else b);
  end Literally;
  model Constants "an array of records that are constants of the model"
    constant Point table[:] = {Point(1, 2), Point(3, 4)};
    Real y = (table[2].x + sum(table.y))*time;
  end Constants;
  record Sized
    constant Integer n = 2;
    Real v[n];
  end Sized;
  model Whole "a constant of a record is not what the value of the whole says"
    Sized s = Sized(v = {1, time});
    Real y = s.v[2];
  end Whole;
  model Kept "an algorithm assigns a record as a whole, whose size stays what it is"
    Named r(n = 2);
  algorithm
    r := Named(2, {time, 3*time});
  end Kept;
end RecordsAsWritten;
