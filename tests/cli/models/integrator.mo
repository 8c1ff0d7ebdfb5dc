model Integrator "x is the integral of u"
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
end Integrator;
