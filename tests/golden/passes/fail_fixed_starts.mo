// class: M
model M
  Real level(start = 1, fixed = true);
  Real depth(start = 2, fixed = true);
equation
  der(level) = 1 - level;
  depth = -level;
end M;
//| fail_fixed_starts.mo:3:8: error: `level` and `depth` are equal but start at 1 and 2 [E406]
//|   3 |   Real level(start = 1, fixed = true);
//|     |        ^~~~~
//| fail_fixed_starts.mo:4:8: note: the other one
//|   4 |   Real depth(start = 2, fixed = true);
//|     |        ^~~~~
