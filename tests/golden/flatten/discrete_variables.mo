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
//| discrete_variables.mo:43:15: error: `a value that changes` is needed at compile time, but has no value then [E308]
//|   43 |   pre(k) = if initial() then 1 else 2;
//|      |               ^~~~~~~~~
