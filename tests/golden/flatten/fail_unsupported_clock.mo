// class: M
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  when Clock(0.1) then
    y = sample(x) + previous(y);
  end when;
end M;
//| fail_unsupported_clock.mo:6:8: error: not supported yet: clocks [E290]
//|   6 |   when Clock(0.1) then
//|     |        ^~~~~
