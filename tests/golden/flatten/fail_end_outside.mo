// class: M
model M
  Real v(start = 1, fixed = true);
equation
  der(v) = -1;
  when v < 0 then
    reinit(v, end - 0.5*pre(v));
  end when;
end M;
//| fail_end_outside.mo:7:15: error: `end` is not known at compile time: it is used outside subscripts (the end of the horizon is called `finalTime`) [E230]
//|   7 |     reinit(v, end - 0.5*pre(v));
//|     |               ^~~
