model OnDelay "Passes a rising edge on later; the value before the first event comes from an initial equation"
  parameter Real delay = 0.25;
  Boolean u = time > 0.5 and time < 1.5;
  Boolean y;
  Boolean waits(start = false, fixed = true);
  discrete Real next;
  Real area(start = 0, fixed = true), before(start = 0, fixed = true);
initial equation
  pre(next) = time - 1;
algorithm
  when initial() then
    waits := u;
    next := pre(next) + 10;
  elsewhen u then
    waits := true;
    next := time + delay;
  elsewhen not u then
    waits := false;
    next := time - 1;
  end when;
equation
  y = waits and time >= next;
  der(area) = if y then 1 else 0;
  der(before) = if time < 0.5 then next else 0;
end OnDelay;
