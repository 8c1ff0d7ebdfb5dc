// class: M
model M
  Real level(min = 2, max = 1);
  Real flow(nominal = 0);
equation
  der(level) = flow;
  flow = 1 - level;
end M;
