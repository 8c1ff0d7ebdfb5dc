model Relay "a heater with hysteresis"
  parameter Real low = 19, high = 21;
  Real T(start = 20, fixed = true);
  Boolean on(start = false, fixed = true);
  Integer switches(start = 0, fixed = true);
equation
  der(T) = (if on then 5 else 0) - 0.1*T;
  on = T < low or pre(on) and T < high;
  when change(on) then
    switches = pre(switches) + 1;
  end when;
end Relay;
