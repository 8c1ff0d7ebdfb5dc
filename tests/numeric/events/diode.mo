model Diode "an ideal diode charges a capacitor: switched equations with a common parameter"
  Real v(start = 0, fixed = true), s(start = 0), i, u;
  Boolean off;
equation
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  sin(time) = 0.5*i + u + v;
  der(v) = i;
end Diode;
