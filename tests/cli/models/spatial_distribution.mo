package SpatialDistribution "plug flow, whose outlet is known in closed form"
  partial model Pipe
    Real v "pipes per second";
    Real x(start = 0, fixed = true);
    Real l, r "values at 0 and at 1";
  equation
    der(x) = v;
  end Pipe;

  model Steady "r(t) = sin(t - 2)"
    extends Pipe;
  equation
    v = 0.5;
    (l, r) = spatialDistribution(sin(time), 7, x, v >= 0);
  end Steady;

  model Profile "r(t) is the profile at 1 - t, which jumps at 0.25"
    extends Pipe;
    parameter Real high = 3;
  equation
    v = 1;
    (l, r) = spatialDistribution(0, 0, x, v >= 0, {0, 0.25, 0.25, 1}, {0, 1, high, high});
  end Profile;

  model Reversed "x = 0.6 sin(t): what entered comes out where it did, the last first"
    extends Pipe;
  equation
    v = 0.6*cos(time);
    (l, r) = spatialDistribution(1 + time, exp(-time), x, v >= 0, {0, 1}, {0, 2});
  end Reversed;

  model Age "the time of entry at the outlet: x(r) = x(t) - 1"
    extends Pipe;
  equation
    v = 1 + 0.5*sin(time);
    (l, r) = spatialDistribution(time, time, x, v >= 0, initialPoints = {0.0, 1.0}, initialValues = {0, -1});
  end Age;

  model Recirculated "T' = -T + r, r(t) = T(t - 1): by the method of steps"
    extends Pipe;
    Real T(start = 1, fixed = true);
  equation
    v = 1;
    der(T) = r - T;
    (l, r) = spatialDistribution(T, 0, x, v >= 0);
  end Recirculated;

  model Jump "a jump at the inlet comes out half a second later"
    extends Pipe;
    Real s(start = 0, fixed = true);
  equation
    v = 2;
    der(s) = r;
    (l, r) = spatialDistribution(if time > 1 then 2 else 1, 0, x, v >= 0);
  end Jump;

  model Paused "no flow between 1 and 2"
    extends Pipe;
  equation
    v = if time > 1 and time < 2 then 0 else 1;
    (l, r) = spatialDistribution(time, 0, x, v >= 0);
  end Paused;

  model WithoutStates
    Real l, r;
  equation
    (l, r) = spatialDistribution(time^2, 0, time, true);
  end WithoutStates;

  model Series "two pipes of different lengths, with profiles of parameters"
    parameter Real length[2] = {1, 2}, before[2] = {5, 6};
    Real x(start = 0, fixed = true), left[2], right[2];
  equation
    der(x) = 1;
    for i in 1:2 loop
      (left[i], right[i]) = spatialDistribution(
        if i == 1 then sin(time) else right[1], 0, x/length[i], der(x) > 0, {0, 1}, {before[i], before[i]});
    end for;
  end Series;

  model Pulse "a pulse of 0.01 s is not passed over when it comes out"
    extends Pipe;
    Real s(start = 0, fixed = true);
  equation
    v = 0.1;
    der(s) = r;
    (l, r) = spatialDistribution(if time > 1 and time < 1.01 then 1 else 0, 0, x, v >= 0);
  end Pulse;

  model Place "a place that is a parameter: after 0.1 the right end has what stood at 0.9"
    extends Pipe;
    parameter Real middle = 0.5;
  equation
    v = 1;
    (l, r) = spatialDistribution(0, 0, x, v >= 0, {0, middle, 1}, {2, 3, 4});
  end Place;
end SpatialDistribution;
