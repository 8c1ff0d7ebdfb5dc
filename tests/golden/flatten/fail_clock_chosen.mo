// class: M
model M
  Boolean b = time > 1;
  Clock c = if b then Clock(1, 10) else Clock(1, 20);
end M;
//| fail_clock_chosen.mo:4:16: error: which clock is meant must be known when the model is compiled [E471]
//|   4 |   Clock c = if b then Clock(1, 10) else Clock(1, 20);
//|     |                ^
