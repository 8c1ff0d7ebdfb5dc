model Schmitt "positive feedback without states: the output jumps where its branch of solutions ends"
  parameter Real gain = 50;
  Real u = 2*sin(time), y(start = -1), e;
  Boolean high = y > 0;
  discrete Real up(start = 0, fixed = true), down(start = 0, fixed = true);
equation
  e = u + y;
  y = max(-1, min(1, gain*e));
  when high then
    up = time;
  end when;
  when not high then
    down = time;
  end when;
end Schmitt;
