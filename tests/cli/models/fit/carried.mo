model Carried
  parameter Real d = 2;
  parameter Real k = 1;
  Real y(start = 1, fixed = true);
  discrete Real dose(start = 0, fixed = true);
equation
  der(y) = -k*y;
  when y < 0.5 then
    dose = d*y;
    reinit(y, dose);
  end when;
end Carried;

model Steps
  parameter Real k = 1;
  Real y(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(y) = k*(u - y);
  when sample(1, 1) then
    u = pre(u) + 1;
  end when;
end Steps;
