// class: M
model M
  Boolean on(start = false);
  Integer n(start = 0, fixed = true);
initial equation
  on or n > 2 = true;
equation
  when time > 1 then
    on = not pre(on);
    n = pre(n) + 1;
  end when;
end M;
//| fail_initial_discrete.mo:6:3: error: this initial equation determines no discrete variable [E424]
//|   6 |   on or n > 2 = true;
//|     |   ^~~~~~~~~~~~~~~~~~
