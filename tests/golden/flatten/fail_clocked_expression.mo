// class: M
model M
  Real n(start = 0), m;
equation
  n = previous(2*n) + sample(1, Clock(1, 10));
  m = hold(n + 1);
end M;
//| fail_clocked_expression.mo:5:16: error: `previous` needs the name of a clocked variable, this is an expression [E470]
//|   5 |   n = previous(2*n) + sample(1, Clock(1, 10));
//|     |                ^~~
//| fail_clocked_expression.mo:6:12: error: `hold` needs the name of a clocked variable, this is an expression [E470]
//|   6 |   m = hold(n + 1);
//|     |            ^~~~~
