// class: Integrators
model Integrators
  Real x[18], u;
equation
  for i in 1:17 loop
    der(x[i]) = x[i + 1] + 0.1*sin(x[i]);
  end for;
  der(x[18]) = u;
  x[1]^3 + x[1] = sin(time);
end Integrators;
//| fail_index_beyond_reach.mo:2:7: error: an equation would have to be differentiated more than 16 times: the index is beyond reach [E409]
//|   2 | model Integrators
//|     |       ^~~~~~~~~~~
