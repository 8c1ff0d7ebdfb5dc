// class: M
model M
  Real x, y, z(start = 1);
  parameter Real p = 1;
  Boolean b, c;
  Integer k, m, whole;
  discrete Real d;
  function down
    input Real a;
    output Integer n;
  algorithm
    n := integer(a);
  end down;
equation
  whole = down(x);
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
//| fail_events.mo:15:11: error: this Integer changes continuously, but only events may change it [E370]
//|   15 |   whole = down(x);
//|      |           ^~~~~~~
//| fail_events.mo:17:7: error: this Boolean changes continuously, but only events may change it [E370]
//|   17 |   b = noEvent(x > 1);
//|      |       ^~~~~~~~~~~~~~
//| fail_events.mo:18:8: error: this condition changes continuously, but only events may change it [E370]
//|   18 |   when noEvent(x > 1) then
//|      |        ^~~~~~~~~~~~~~
//| fail_events.mo:22:5: error: `when` is not allowed in another `when` [E371]
//|   22 |     when c then
//|      |     ^~~~~~~~~~~
//| fail_events.mo:27:5: error: an equation inside `when` has a variable on its left [E372]
//|   27 |     x + y = 3;
//|      |     ^~~~~
//| fail_events.mo:30:5: error: an equation inside `when` has a variable on its left [E372]
//|   30 |     p = 3;
//|      |     ^
//| fail_events.mo:34:5: error: `m` is not set in every branch [E373]
//|   34 |     m = 1;
//|      |     ^~~~~
//| fail_events.mo:42:5: error: `k` is set by two when-equations [E374]
//|   42 |     k = 4;
//|      |     ^~~~~
//| fail_events.mo:39:5: note: the other one
//|   39 |     k = 3;
//|      |     ^~~~~
//| fail_events.mo:44:11: error: `pre` needs a variable that changes at events, this is continuous: `x` [E376]
//|   44 |   k = pre(x) + pre(x + 1);
//|      |           ^
//| fail_events.mo:44:20: error: `pre` needs a variable that changes at events, this is an expression [E376]
//|   44 |   k = pre(x) + pre(x + 1);
//|      |                    ^~~~~
//| fail_events.mo:45:12: error: `edge` needs a variable that changes at events, this is Integer [E376]
//|   45 |   c = edge(k);
//|      |            ^
//| fail_events.mo:46:3: error: `reinit` is allowed in a when-equation only [E378]
//|   46 |   reinit(x, 1);
//|      |   ^~~~~~~~~~~~
//| fail_events.mo:48:12: error: `reinit` needs a Real variable that changes continuously, this is Real [E377]
//|   48 |     reinit(d, 1);
//|      |            ^
//| fail_events.mo:49:5: error: the types differ: Real and Boolean [E303]
//|   49 |     reinit(x, true);
//|      |     ^~~~~~~~~~~~~~~
//| fail_events.mo:52:19: error: the message must be made of texts and values [E379]
//|   52 |     assert(x > 0, x);
//|      |                   ^
//| fail_events.mo:56:5: error: `b` is not set in every branch [E373]
//|   56 |     b = true;
//|      |     ^~~~~~~~
//| fail_events.mo:64:5: error: `x` is set by two when-equations [E374]
//|   64 |     reinit(x, 1);
//|      |     ^~~~~~~~~~~~
//| fail_events.mo:61:5: note: the other one
//|   61 |     reinit(x, 0);
//|      |     ^~~~~~~~~~~~
//| fail_events.mo:66:14: error: the value of `sample` must not depend on variables or time [E327]
//|   66 |   y = sample(x, 1);
//|      |              ^
//| fail_events.mo:67:7: error: the function `reinit` has no output [E335]
//|   67 |   y = reinit(x, 1);
//|      |       ^~~~~~~~~~~~
//| fail_events.mo:69:3: error: `when` is not allowed in an initial equation [E371]
//|   69 |   when b then
//|      |   ^~~~~~~~~~~
