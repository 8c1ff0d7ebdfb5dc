// class: M
model M
  Real level(min = 1);
  Real depth(min = 0);
equation
  der(level) = 1 - level;
  depth = -level;
end M;
