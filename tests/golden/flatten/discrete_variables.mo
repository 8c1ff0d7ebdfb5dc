// class: M
connector Out = output Boolean;
connector In = input Boolean;
connector RealOut = output Real;
connector RealIn = input Real;
type Gear = enumeration(low, high);
block Hold
  RealIn u;
  RealOut y(start = 0);
  In tick;
equation
  when tick then
    y = u;
  end when;
end Hold;
block Clock
  Out y = sample(0, 1);
end Clock;
block Twice
  RealIn u;
  RealOut y = 2*u;
end Twice;
model M
  input Boolean go;
  Clock clock[2];
  Hold hold[2];
  Twice twice;
  Gear gear(start = Gear.low, fixed = true);
  Integer k(start = 1), steps = integer(3*time);
  Boolean flag = noEvent(1 > 2) or change(k) or edge(go);
equation
  connect(clock.y, hold.tick);
  connect(hold[1].y, twice.u);
  connect(twice.y, hold[2].u);
  hold[1].u = delay(time, 0.5);
  gear = if go and pre(gear) == Gear.low then Gear.high else pre(gear);
  if go then
    k = 2;
  else
    k = steps + 1;
  end if;
initial equation
  pre(k) = if initial() then 1 else 2;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   input Boolean go;
//|   Boolean clock[2].y;
//|   Real hold[2].u;
//|   discrete Real hold[2].y(start = 0);
//|   Boolean hold[2].tick;
//|   Real twice.u;
//|   Real twice.y;
//|   enumeration gear(start = 1, fixed = true);
//|   Integer k(start = 1);
//|   Integer steps;
//|   Boolean flag;
//| equation
//|   twice.y = twice.u*2;
//|   hold[1].u = $delay1;
//|   hold[1].y = twice.u;
//|   twice.y = hold[2].u;
//| initial discrete equation
//|   pre(k) = if initial() then 1 else 2;
//| discrete equation
//|   clock[1].y = $sample1;
//|   clock[2].y = $sample1;
//|   steps = floor(time*3);
//|   flag = k <> pre(k) or go and not pre(go);
//|   gear = if go and pre(gear) == 1 then 2 else pre(gear);
//|   k = if go then 2 else steps + 1;
//|   hold[1].y = if if initial() then 0 else hold[1].tick and not pre(hold[1].tick) then hold[1].u else pre(hold[1].y);
//|   hold[2].y = if if initial() then 0 else hold[2].tick and not pre(hold[2].tick) then hold[2].u else pre(hold[2].y);
//|   clock[1].y = hold[1].tick;
//|   // 1 more like `clock[1].y = $sample1`
//| source
//|   $sample1 = sample(0, 1);
//|   $delay1 = delay(time, 0.5, 0.5);
//| end M;
