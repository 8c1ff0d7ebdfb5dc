// class: M
model M
  function again
    input Real x;
    output Real y;
  algorithm
    y := again(x - 1);
  end again;
  function sized
    input Integer n;
    output Real y[:];
  algorithm
    y[1] := n;
  end sized;
  function slices
    input Real x[:];
    input Integer m;
    output Real s;
  algorithm
    s := 0;
    for i in 1:integer(x[1]) loop
      s := s + sum(x[1:i]);
    end for;
  end slices;
  function clock
    input Real x;
    output Real y;
  algorithm
    y := x + time;
  end clock;
  function outside
    input Real x;
    output Real y;
    external "C" y = my_function(x);
  end outside;
  Real x;
equation
  x = again(x);
  x = sum(sized(integer(x)));
  x = slices({x, x}, 2);
  x = clock(x);
  x = outside(x);
end M;
//| fail_functions.mo:7:10: error: the function `again` calls itself with arguments of the same sizes [E337]
//|   7 |     y := again(x - 1);
//|     |          ^~~~~~~~~~~~
//| fail_functions.mo:11:17: error: the size of `y` in `sized` cannot be found [E339]
//|   11 |     output Real y[:];
//|      |                 ^
//| fail_functions.mo:21:5: error: a size in this loop depends on `i`, whose range is not known at compile time [E340]
//|   21 |     for i in 1:integer(x[1]) loop
//|      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_functions.mo:29:14: error: this cannot be used inside a function [E341]
//|   29 |     y := x + time;
//|      |              ^~~~
//| fail_functions.mo:42:7: error: the external function `my_function` was not found [E244]
//|   42 |   x = outside(x);
//|      |       ^~~~~~~~~~
//| fail_functions.mo:34:5: note: declared external here
//|   34 |     external "C" y = my_function(x);
//|      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| help: make a shared library `libmy_function.so`, put it next to the model or into Resources/Library, and name it by `annotation(Library = "my_function")`
