model Timers "ticks, a timer that winds itself up, and a stop watch"
  Integer ticks(start = 0, fixed = true), rounds(start = 0, fixed = true);
  discrete Real next(start = 0.3, fixed = true), entry(start = 0, fixed = true);
  Real watch = if running then time - entry else 0;
  Boolean running = time >= 1 and time < 2.5;
  Real saw(start = 0, fixed = true), stairs(start = 0, fixed = true);
equation
  when sample(0.1, 0.25) then
    ticks = pre(ticks) + 1;
  end when;
  when time >= pre(next) then
    next = pre(next) + 0.35;
    rounds = pre(rounds) + 1;
  end when;
  when running then
    entry = time;
  end when;
  der(saw) = mod(time, 0.4) + watch;
  der(stairs) = floor(2*time) - div(time, 1) + ceil(-time);
end Timers;
