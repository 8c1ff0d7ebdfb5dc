// class: M
model M
  Real x[5000];
equation
  for i in 1:5000 loop
    x[i] = time + sum(i*x[j] for j in 1:5000);
  end for;
end M;
//| fail_many_terms.mo:6:19: error: with this sum the model has more than 20 million terms of sums [E395]
//|   6 |     x[i] = time + sum(i*x[j] for j in 1:5000);
//|     |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~
