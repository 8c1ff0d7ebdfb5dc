// class: M
model M
  Real a(unit = "deg", start = 45, fixed = true);
  Real x = cos(a);
equation
  der(a) = 0;
end M;
//| fail_degrees.mo:4:8: error: `cos` takes an angle in rad; `a` is in deg [E441]
//|   4 |   Real x = cos(a);
//|     |        ^~~~~~~~~~
//| help: multiply it by Modelica.Constants.pi/180: cos((a)*Modelica.Constants.pi/180)
