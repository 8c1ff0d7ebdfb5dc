model Spikes "counts short times above a threshold: the way up and the way down often lie in one step"
  parameter Real w = 10, threshold = 0.9999;
  Real y(start = 0, fixed = true), area(start = 0, fixed = true);
  Boolean above = y > threshold;
  Integer passes(start = 0, fixed = true);
equation
  der(y) = w*cos(w*time);
  der(area) = if above then 1 else 0;
  when above then
    passes = pre(passes) + 1;
  end when;
end Spikes;
