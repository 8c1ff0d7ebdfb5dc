// class: M
model M
  Real x = sin(time);
  Clock c = Clock(x > 0);
  Clock third = subSample(c, 3), c2 = superSample(third, 3);
  Clock twice = superSample(c, 2);
end M;
//| fail_super_sampled_event.mo:6:17: error: between the ticks of this clock there are no others [E477]
//|   6 |   Clock twice = superSample(c, 2);
//|     |                 ^~~~~~~~~~~~~~~~~
