model Chain "lags one behind the other, every second one fast"
  parameter Integer n = 1000;
  Real x[n](each start=0, each fixed=true);
equation
  der(x[1]) = 1 - x[1];
  for i in 2:n loop
    der(x[i]) = (if mod(i, 2) == 0 then 50 else 5)*(x[i-1] - x[i]) - 0.1*x[i]^3;
  end for;
  annotation(experiment(StopTime=1));
end Chain;
