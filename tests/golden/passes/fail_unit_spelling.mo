// class: M
model M
  parameter Real a(unit = "m/s^2") = 9.81, b(unit = "m/s^2") = 1, c(unit = "J/kg/K") = 4200, price(unit = "EUR/kg") = 2;
  Real angle(unit = "deg", start = 45, fixed = true);
  Real x = cos(angle);
equation
  der(angle) = a + b + c + price;
end M;
//| fail_unit_spelling.mo:3:18: warning: the unit "m/s^2" of `a` is not one that is read, so that it is not checked [W991]
//|   3 |   parameter Real a(unit = "m/s^2") = 9.81, b(unit = "m/s^2") = 1, c(unit = "J/kg/K") = 4200, price(unit = "EUR/kg") = 2;
//|     |                  ^
//| help: write "m/s2"
//| fail_unit_spelling.mo:3:67: warning: the unit "J/kg/K" of `c` is not one that is read, so that it is not checked [W991]
//|   3 |   parameter Real a(unit = "m/s^2") = 9.81, b(unit = "m/s^2") = 1, c(unit = "J/kg/K") = 4200, price(unit = "EUR/kg") = 2;
//|     |                                                                   ^
//| help: write "J/(kg.K)"
//| fail_unit_spelling.mo:5:8: error: `cos` takes an angle in rad; `angle` is in deg [E441]
//|   5 |   Real x = cos(angle);
//|     |        ^~~~~~~~~~~~~~
//| help: multiply it by Modelica.Constants.pi/180: cos((angle)*Modelica.Constants.pi/180)
