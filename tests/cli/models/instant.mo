// What happens at one time: consistent values, the events of the start, those of the end.
model Instant
  Real x(start = 3, fixed = true), y(start = 1);
  discrete Integer n(start = 0, fixed = true), ended(start = 0, fixed = true);
  input Real u(start = 7);
equation
  der(x) = -x;
  y^3 = 8*u;
  when sample(2, 1) then
    n = pre(n) + 1;
    Modelica.Utilities.Streams.print("tick " + String(n) + " at " + String(time));
  end when;
  when terminal() then
    ended = pre(ended) + 1;
  end when;
  annotation(experiment(StartTime = 2, StopTime = 2));
end Instant;
