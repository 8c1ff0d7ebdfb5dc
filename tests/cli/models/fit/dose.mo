model Dose "a dose is given when its time comes, and the depot is filled when little is left in it"
  parameter Real k = 0.5, first = 1, tau = 0.7, low = 0.3;
  Real x(start = first, fixed = true), depot(start = 1, fixed = true);
equation
  der(x) = depot - k*x;
  der(depot) = -depot;
  when time >= tau then
    reinit(x, x + first);
  end when;
  when depot < low then
    reinit(depot, depot + 0.5);
  end when;
end Dose;
