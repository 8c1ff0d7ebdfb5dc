// class: M
model M
  Real level(min = 1);
  Real depth(min = 0);
equation
  der(level) = 1 - level;
  depth = -level;
end M;
//| fail_bounds_of_aliases.mo:3:8: error: `level` has min = 1 above max = 0 [E404]
//|   3 |   Real level(min = 1);
//|     |        ^~~~~
//| fail_bounds_of_aliases.mo:4:8: note: the same variable as `depth`, with its own bounds
//|   4 |   Real depth(min = 0);
//|     |        ^~~~~
