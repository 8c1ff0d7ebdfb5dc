// class: M
model M
  Real a, b(start = 0);
equation
  a = sample(time, Clock(1, 10));
  when Clock(1, 3) then
    b = previous(b) + a;
  end when;
end M;
//| fail_two_clocks.mo:6:8: error: these equations belong to two clocks that do not fit: `Clock(1, 10)` and `Clock(1, 3)` [E473]
//|   6 |   when Clock(1, 3) then
//|     |        ^~~~~~~~~~~
//| fail_two_clocks.mo:5:20: note: the other one
//|   5 |   a = sample(time, Clock(1, 10));
//|     |                    ^~~~~~~~~~~~
