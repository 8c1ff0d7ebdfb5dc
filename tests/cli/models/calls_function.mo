model CallsFunction "its rate comes from an algorithm with a loop that runs as long as its argument says"
  function sum
    input Real x;
    output Real y;
  algorithm
    y := 0;
    while y < x loop
      y := y + 0.1;
    end while;
  end sum;
  Real x(start = 1, fixed = true);
equation
  der(x) = -sum(x);
  annotation(experiment(StopTime = 1));
end CallsFunction;
