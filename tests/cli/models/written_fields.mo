package WrittenFields "outputs that are records: what they are declared with is where they begin"
  record Curve
    parameter Real v[3];
    parameter Real w;
  end Curve;
  record Sized
    parameter Integer n;
    parameter Real v[n];
  end Sized;
  function element_by_element
    input Real x;
    output Curve c(v = zeros(3), w = 0);
  algorithm
    c.v := {x, 2*x, 3*x};
    c.v[2] := 7;
    c.w := c.v[3];
  end element_by_element;
  function in_a_branch
    input Real x;
    output Curve c(v = {1, 2, 3}, w = 5);
  algorithm
    if x > 2 then
      c.w := x;
    end if;
  end in_a_branch;
  function as_a_whole
    input Real x;
    output Curve c(v = zeros(3), w = 0);
  algorithm
    c := element_by_element(2*x);
  end as_a_whole;
  function sized
    input Real x[:];
    output Sized s(n = size(x, 1));
  algorithm
    s.v := 2*x;
  end sized;
  model M
    parameter Real k = 3;
    parameter Curve a = element_by_element(k);
    final parameter Curve b = if k < 2 then element_by_element(1) else in_a_branch(k);
    parameter Curve c = as_a_whole(k);
    parameter Sized d = sized({1, k});
    Real y[4] = {a.v[1] + a.v[2] + a.w, b.v[3] + b.w, c.v[1] + c.w, d.n + d.v[2]};
  end M;
end WrittenFields;
