// class: M
model M
  Real level(start = 1, fixed = true);
  Real depth(start = 2, fixed = true);
equation
  der(level) = 1 - level;
  depth = -level;
end M;
