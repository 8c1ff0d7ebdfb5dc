// class: U
model U
  Real s(unit = "m", start = 0, fixed = true), v(unit = "m/s", start = 0, fixed = true), F(unit = "N"), w, e(unit = "J"), q;
  parameter Real m(unit = "kg") = 2, k(unit = "N/m") = 3;
  parameter Real wrong(unit = "kg") = m*m;
  parameter Real d(unit = "km") = 3, c(unit = "degC") = 20;
  parameter Real T(unit = "K") = c + 273.15, T2(unit = "K") = c;
equation
  der(s) = v;
  m*der(v) = F;
  F = -k*s;
  w = m*v;
  e = w*v/2 + w;
  q = exp(-s) + 2*d/s + (if s > d then s/v else v);
end U;
//| warn_units.mo:13:3: warning: `w*v/2` and `w` have different units: J and m.kg/s [E425]
//|   13 |   e = w*v/2 + w;
//|      |   ^~~~~~~~~~~~~
//| warn_units.mo:12:3: note: a unit follows from here
//|   12 |   w = m*v;
//|      |   ^~~~~~~
//| help: correct the equation, or the `unit` of one of its variables
//| warn_units.mo:14:3: warning: the argument of `exp` and a number have different units: m and 1 [E425]
//|   14 |   q = exp(-s) + 2*d/s + (if s > d then s/v else v);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| help: correct the equation, or the `unit` of one of its variables
//| warn_units.mo:5:39: warning: `wrong` and `m*m` have different units: kg and kg2 [E425]
//|   5 |   parameter Real wrong(unit = "kg") = m*m;
//|     |                                       ^~~
//| help: correct the equation, or the `unit` of one of its variables
//| warn_units.mo:7:63: warning: `T2` and `c` have different units: K and degC [E425]
//|   7 |   parameter Real T(unit = "K") = c + 273.15, T2(unit = "K") = c;
//|     |                                                               ^
//| help: convert one of them: Modelica.Units.Conversions
