// class: M
model M
  Real n(start = 0), m(start = 0);
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
  elsewhen Clock(2, 10) then
    n = 0;
  end when;
end M;
//| fail_clocked_elsewhen.mo:5:3: error: a clocked when-clause has no `elsewhen` [E472]
//|   5 |   when Clock(1, 10) then
//|     |   ^~~~~~~~~~~~~~~~~~~~~~
