// class: M
model M
  function f
    input Real x;
    input Real y[2];
    output Real z;
  algorithm
    z := x*y[1];
  end f;
  function g
    input Real x;
  algorithm
  end g;
  function h
    input Real x;
    output Real y;
  end h;
  Real x, y, z;
equation
  x = f(1);
  x = f(1, {1, 2}, 3);
  x = f(1, w = {1, 2});
  x = f(1, x = 2);
  x = f(1, 2);
  x = sin(1, 2);
  x = g(x);
  x = h(x);
  (x, y, z) = f(1, {1, 2});
  f(1, {1, 2});
end M;
//| fail_calls.mo:20:7: error: the argument `y` of `f` is missing [E333]
//|   20 |   x = f(1);
//|      |       ^~~~
//| fail_calls.mo:21:7: error: `f` takes 2 arguments, 3 are given [E330]
//|   21 |   x = f(1, {1, 2}, 3);
//|      |       ^~~~~~~~~~~~~~~
//| fail_calls.mo:22:12: error: `w` is not an input of `f` [E331]
//|   22 |   x = f(1, w = {1, 2});
//|      |            ^
//| fail_calls.mo:23:12: error: the argument `x` is given twice [E332]
//|   23 |   x = f(1, x = 2);
//|      |            ^
//| fail_calls.mo:24:12: error: `y` of `f` has 1 dimensions, the argument is Integer [E334]
//|   24 |   x = f(1, 2);
//|      |            ^
//| fail_calls.mo:25:7: error: `sin` takes 1 arguments, 2 are given [E330]
//|   25 |   x = sin(1, 2);
//|      |       ^~~~~~~~~
//| fail_calls.mo:26:7: error: the function `g` has no output [E335]
//|   26 |   x = g(x);
//|      |       ^~~~
//| fail_calls.mo:27:7: error: the function `h` has neither an algorithm nor an external body [E338]
//|   27 |   x = h(x);
//|      |       ^~~~
//| fail_calls.mo:28:3: error: the call gives 1 values, 3 are taken [E336]
//|   28 |   (x, y, z) = f(1, {1, 2});
//|      |   ^~~~~~~~~
//| fail_calls.mo:29:3: warning: the result of `f` is not used, so the call has no effect [W307]
//|   29 |   f(1, {1, 2});
//|      |   ^~~~~~~~~~~~
