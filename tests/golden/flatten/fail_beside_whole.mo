// class: M
model M
  record R
    parameter Integer n = 1;
    Real x[n];
  end R;
  function f
    input Real u;
    output R r(n = 2);
  algorithm
    r.x := {u, 2*u};
  end f;
  R right(n = 2) = f(time);
  R other(n = 3) = f(time);
  R whole(n = 2, x = {1, 2}) = f(time);
end M;
//| fail_beside_whole.mo:15:18: error: `whole.x` is given a value, and so is the whole `whole` [E215]
//|   15 |   R whole(n = 2, x = {1, 2}) = f(time);
//|      |                  ^~~~~~~~~~
//| fail_beside_whole.mo:15:5: note: the whole is given here
//|   15 |   R whole(n = 2, x = {1, 2}) = f(time);
//|      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_beside_whole.mo:14:11: error: `other.n` is given the value 3, but the whole `other` has 2 there [E255]
//|   14 |   R other(n = 3) = f(time);
//|      |           ^~~~~
//| fail_beside_whole.mo:14:5: note: the whole is given here
//|   14 |   R other(n = 3) = f(time);
//|      |     ^~~~~~~~~~~~~~~~~~~~~~
