// class: M
model M
  Real x, y, z(start = 1);
  parameter Real p = 1;
  Boolean b, c;
  Integer k, m;
  discrete Real d;
equation
  der(x) = 1;
  b = noEvent(x > 1);
  when noEvent(x > 1) then
    k = 1;
  end when;
  when b then
    when c then
      k = 2;
    end when;
  end when;
  when c then
    x + y = 3;
  end when;
  when c then
    p = 3;
  end when;
  when b then
    k = 1;
    m = 1;
  elsewhen c then
    k = 2;
  end when;
  when c then
    k = 3;
  end when;
  when b then
    k = 4;
  end when;
  k = pre(x) + pre(x + 1);
  c = edge(k);
  reinit(x, 1);
  when b then
    reinit(d, 1);
    reinit(x, true);
  end when;
  when c then
    assert(x > 0, x);
    d = 3;
  end when;
  if x > 1 then
    b = true;
  else
    c = true;
  end if;
  when k > 2 then
    reinit(x, 0);
  end when;
  when k > 3 then
    reinit(x, 1);
  end when;
  y = sample(x, 1);
  y = reinit(x, 1);
initial equation
  when b then
    k = 1;
  end when;
end M;
//| fail_events.mo:10:7: error: this Boolean changes continuously, but only events may change it [E370]
//|   10 |   b = noEvent(x > 1);
//|      |       ^~~~~~~~~~~~~~
//| fail_events.mo:11:8: error: this condition changes continuously, but only events may change it [E370]
//|   11 |   when noEvent(x > 1) then
//|      |        ^~~~~~~~~~~~~~
//| fail_events.mo:15:5: error: `when` cannot stand in another `when` [E371]
//|   15 |     when c then
//|      |     ^~~~~~~~~~~
//| fail_events.mo:20:5: error: an equation inside `when` has a variable on its left [E372]
//|   20 |     x + y = 3;
//|      |     ^~~~~
//| fail_events.mo:23:5: error: an equation inside `when` has a variable on its left [E372]
//|   23 |     p = 3;
//|      |     ^
//| fail_events.mo:27:5: error: `m` is not set in every branch [E373]
//|   27 |     m = 1;
//|      |     ^~~~~
//| fail_events.mo:35:5: error: `k` is set by two when-equations [E374]
//|   35 |     k = 4;
//|      |     ^~~~~
//| fail_events.mo:32:5: note: the other one
//|   32 |     k = 3;
//|      |     ^~~~~
//| fail_events.mo:37:11: error: `pre` needs a variable that changes at events, this is continuous: `x` [E376]
//|   37 |   k = pre(x) + pre(x + 1);
//|      |           ^
//| fail_events.mo:37:20: error: `pre` needs a variable that changes at events, this is an expression [E376]
//|   37 |   k = pre(x) + pre(x + 1);
//|      |                    ^~~~~
//| fail_events.mo:38:12: error: `edge` needs a variable that changes at events, this is Integer [E376]
//|   38 |   c = edge(k);
//|      |            ^
//| fail_events.mo:39:3: error: `reinit` stands in a when-equation only [E378]
//|   39 |   reinit(x, 1);
//|      |   ^~~~~~~~~~~~
//| fail_events.mo:41:12: error: `reinit` needs a Real variable that changes continuously, this is Real [E377]
//|   41 |     reinit(d, 1);
//|      |            ^
//| fail_events.mo:42:5: error: the types differ: Real and Boolean [E303]
//|   42 |     reinit(x, true);
//|      |     ^~~~~~~~~~~~~~~
//| fail_events.mo:45:19: error: the message must be made of texts and values [E379]
//|   45 |     assert(x > 0, x);
//|      |                   ^
//| fail_events.mo:49:5: error: `b` is not set in every branch [E373]
//|   49 |     b = true;
//|      |     ^~~~~~~~
//| fail_events.mo:57:5: error: `x` is set by two when-equations [E374]
//|   57 |     reinit(x, 1);
//|      |     ^~~~~~~~~~~~
//| fail_events.mo:54:5: note: the other one
//|   54 |     reinit(x, 0);
//|      |     ^~~~~~~~~~~~
//| fail_events.mo:59:14: error: the value of `sample` must not depend on variables or time [E327]
//|   59 |   y = sample(x, 1);
//|      |              ^
//| fail_events.mo:60:7: error: the function `reinit` has no output [E335]
//|   60 |   y = reinit(x, 1);
//|      |       ^~~~~~~~~~~~
//| fail_events.mo:62:3: error: `when` cannot stand in an initial equation [E371]
//|   62 |   when b then
//|      |   ^~~~~~~~~~~
