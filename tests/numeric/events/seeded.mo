model Seeded "Integer parameters that initial equations determine, and what depends on them; slices along a loop; sizes of locals"
  function next
    input Integer a[2];
    output Integer b[2];
  algorithm
    b := {a[1] + a[2], a[1] + 2*a[2]};
  end next;
  function fibonacci
    input Integer m;
    output Integer s[m];
  protected
    Integer even;
  algorithm
    s[1:2] := {1, 1};
    even := 2*div(m, 2);
    for i in 3:2:even loop
      s[i:i+1] := next(s[i-2:i-1]);
    end for;
  end fibonacci;
  function first_half
    input Real u[:];
    output Real y;
  protected
    Real a[div(size(u, 1), 2) + 1];
  algorithm
    for i in 1:size(a, 1) loop
      a[i] := u[i];
    end for;
    y := sum(a);
  end first_half;
  parameter Integer n(fixed = false);
  parameter Real twice = 2*n;
  Integer s[8];
  Real x(start = 0, fixed = true), y;
initial equation
  n = integer(time) + 3;
  pre(s) = fibonacci(size(s, 1));
equation
  when false then
    s = pre(s);
  end when;
  der(x) = twice;
  y = first_half({time, 2*time, 3*time, 4*time});
end Seeded;
