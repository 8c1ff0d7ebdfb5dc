// class: M
model M
  Clock c = Clock(1, 4);
  Clock late = shiftSample(c, 2), c2 = backSample(late, 2);
  Clock early = backSample(late, 5, 2);
end M;
//| fail_back_before_start.mo:5:17: error: this clock ticks before the clock it is derived from [E476]
//|   5 |   Clock early = backSample(late, 5, 2);
//|     |                 ^~~~~~~~~~~~~~~~~~~~~~
