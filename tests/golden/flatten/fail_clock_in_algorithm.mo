// class: M
model M
  Real n(start = 0);
algorithm
  when Clock(1, 10) then
    n := previous(n) + 1;
  end when;
end M;
//| fail_clock_in_algorithm.mo:5:8: error: expected a Boolean or a vector of Booleans, this is Clock [E305]
//|   5 |   when Clock(1, 10) then
//|     |        ^~~~~~~~~~~~
