// class: SumTerms
model SumTerms "each of 5,000 equations has a sum of as many terms"
  Real x[5000], y[5000];
equation
  for i in 1:5000 loop
    der(x[i]) = -i*x[i];
    y[i] = sum(x[j]*i for j in 1:5000);
  end for;
end SumTerms;
//| fail_sum_terms.mo:7:12: error: with this sum the model has more than 3000000 terms of sums [E395]
//|   7 |     y[i] = sum(x[j]*i for j in 1:5000);
//|     |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~
