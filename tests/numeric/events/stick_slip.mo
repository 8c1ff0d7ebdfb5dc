model StickSlip "a mass slides, sticks, and is torn off by a growing force"
  parameter Real sliding = 2, static = 2.5;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), drive = 0.5*time;
  Boolean stuck(start = false, fixed = true);
  discrete Real stopped(start = 0, fixed = true), released(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if stuck then 0 else drive - sliding;
  stuck = not drive > static and (pre(stuck) or v < 0);
  when stuck then
    stopped = time;
    reinit(v, 0);
  end when;
  when not stuck then
    released = time;
  end when;
end StickSlip;
