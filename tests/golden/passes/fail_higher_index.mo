// class: Pendulum
model Pendulum
  parameter Real g = 9.81, length = 1;
  Real x(start = 1), y(start = 0), vx, vy, tension;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -tension*x;
  der(vy) = -tension*y - g;
  x^2 + y^2 = length^2;
end Pendulum;
//| fail_higher_index.mo:10:3: error: the equations constrain states without determining derivatives: the index is higher than 1 [E409]
//|   10 |   x^2 + y^2 = length^2;
//|      |   ^~~~~~~~~~~~~~~~~~~~
//| fail_higher_index.mo:10:3: note: constrains states: x^2 + y^2 = length^2
//|   10 |   x^2 + y^2 = length^2;
//|      |   ^~~~~~~~~~~~~~~~~~~~
//| help: states concerned: `x`, `y`
//| fail_higher_index.mo:4:44: note: not determined: `tension`
//|   4 |   Real x(start = 1), y(start = 0), vx, vy, tension;
//|     |                                            ^~~~~~~
//| fail_higher_index.mo:4:36: note: not determined: `der(vx)`
//|   4 |   Real x(start = 1), y(start = 0), vx, vy, tension;
//|     |                                    ^~
//| fail_higher_index.mo:4:40: note: not determined: `der(vy)`
//|   4 |   Real x(start = 1), y(start = 0), vx, vy, tension;
//|     |                                        ^~
