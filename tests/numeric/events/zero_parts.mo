model ZeroParts "A source, a resistor of 2 and two capacitors of 1 and 3 joined by a resistor that may be zero; a capacitor that may be none"
  parameter Real R = 0, C = 0;
  Real v(start = 0, fixed = true), w(start = 0), i "through R";
  Real h "over the capacitor C, which a current of 1 - h charges";
  Real c;
equation
  der(v) = (1 - v)/2 - i;
  3*der(w) = i;
  R*i = v - w;
  c = if h > 10 then C else C*(1 + h^2);
  c*der(h) = 1 - h;
end ZeroParts;
