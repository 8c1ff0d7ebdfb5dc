// Records of functions that events call, which print or are given external objects: in, out and local.
package RecordsAtEvents
  record Point
    Real x, y;
  end Point;
  type Colour = enumeration(red, green);
  record Data "its own size, a record, an array of records, a text"
    parameter Integer n;
    Real v[n];
    Point p;
    Point q[2];
    Boolean on;
    Colour colour;
    String name;
  end Data;
  record Result
    parameter Integer n;
    Real w[n];
    Point q[2];
    Integer k;
  end Result;

  impure function work
    input Data d;
    input Point ps[:];
    output Result r(n = d.n);
    output Real s;
  protected
    Point local = Point(d.p.y, d.p.x);
    Data copy = d;
  algorithm
    Modelica.Utilities.Streams.print(d.name + " " + String(d.v[1]) + " " + String(local.x));
    r.w := 2*copy.v;
    r.q[1] := local;
    r.q[2] := Point(sum(ps.x) + d.q[2].x, sum(ps[i].y for i in 1:size(ps, 1)));
    r.k := (if d.on then 10 else 20) + Integer(d.colour);
    s := sum(r.w);
  end work;
  function show
    input Data d;
    input Point ps[:];
  algorithm
    Modelica.Utilities.Streams.print("shown " + d.name + " " + String(d.v[d.n]) + " " + String(ps[end].y));
  end show;

  model Equations
    Data d(n = 3, v = {1, 2, 3}*time, p = Point(x = time, y = 10*time), q = {Point(1, 2), Point(3, 4)}, on = time > 0.7,
           colour = Colour.green, name = "one");
    Point ps[2](x = {time, 1}, y = {2, time});
    Result r(n = 3);
    discrete Real s;
  equation
    when sample(0.5, 1) then
      (r, s) = work(d, ps);
      show(d, ps);
    end when;
  end Equations;
  model Algorithm
    parameter String label = "algorithm";
    Data d(n = 2, v = {time, 2*time}, p(x = time, y = 10*time), q(x = {1, 3}, y = {2, 4}), on = time > 0.7,
           colour = Colour.red, name = label + "!");
    Point ps[2](x = {time, 1}, y = {2, time});
    Result r(n = 2);
    discrete Real s;
  algorithm
    when sample(0.5, 1) then
      (r, s) := work(d, ps);
      show(d, ps);
    end when;
  end Algorithm;
  model Start "an initial algorithm calls once"
    parameter Data d(n = 2, v = {4, 5}, p(x = 6, y = 7), q(x = {1, 3}, y = {2, 4}), on = true, colour = Colour.red,
                     name = "start");
    Result r(n = 2);
    discrete Real s;
  initial algorithm
    (r, s) := work(d, {Point(1, 2), Point(3, 4)});
  equation
    when time > 10 then
      r = Result(2, {1, 2}, fill(Point(0, 0), 2), 1);
      s = 1;
    end when;
  end Start;

  record Channel
    Point at;
    String name;
  end Channel;
  impure function listed "texts of an array of records"
    input Channel c[:];
    output Point sum(x = 0, y = 0);
  algorithm
    for i in 1:size(c, 1) loop
      Modelica.Utilities.Streams.print(c[i].name + " at " + String(c[i].at.x));
      sum.x := sum.x + c[i].at.x;
      sum.y := sum.y + c[i].at.y;
    end for;
  end listed;
  model Channels
    parameter Channel c[2](name = {"left", "right"}, at(x = {1, 2}, y = {3, 4}));
    Point sum;
  equation
    when time >= 0.25 then
      sum = listed(c);
    end when;
  end Channels;

  constant String code = "
#include <stdio.h>
#include <stdlib.h>
void* counter_open(double first) { double* c = malloc(sizeof(double)); *c = first; return c; }
void counter_close(void* c) { free(c); }
double counter_add(void* c, double by) { return *(double*)c += by; }
void counter_show(void* c) { fprintf(stderr, \"%g\\n\", *(double*)c); }
";
  type Counter "as some declare it"
    extends ExternalObject;
    function constructor
      input Real first;
      output Counter counter;
      external "C" counter = counter_open(first) annotation(Include = code);
    end constructor;
    function destructor
      input Counter counter;
      external "C" counter_close(counter) annotation(Include = code);
    end destructor;
  end Counter;
  impure function add
    input Counter counter;
    input Real by;
    output Real y;
    external "C" y = counter_add(counter, by) annotation(Include = code);
  end add;
  impure function report
    input Counter counter;
    external "C" counter_show(counter) annotation(Include = code);
  end report;
  impure function add_both "an object through a function that is interpreted"
    input Counter counter;
    input Point p;
    output Point sum;
  algorithm
    sum.x := add(counter, p.x);
    sum.y := add(counter, p.y);
    Modelica.Utilities.Streams.print("added " + String(sum.y));
  end add_both;
  model Objects
    Counter counter = Counter(100);
    Point sum(x(start = 0, fixed = true), y(start = 0, fixed = true));
  equation
    when sample(0.5, 1) then
      sum = add_both(counter, Point(time, 2*time));
      report(counter);
    end when;
  end Objects;
end RecordsAtEvents;
