// class: M
model M
  Real n(start = 0);
  Clock c = Clock(1, 10);
equation
  when c then
    when Clock(1, 5) then
      n = previous(n) + 1;
    end when;
  end when;
end M;
//| fail_nested_clocked_when.mo:7:5: error: a clocked when-clause cannot stand in another one [E472]
//|   7 |     when Clock(1, 5) then
//|     |     ^~~~~~~~~~~~~~~~~~~~~
