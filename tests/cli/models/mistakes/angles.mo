package Angles "sine of what is in rad, and of what is not"
  model Doubled
    Real a(unit = "deg") = 90*time;
    Real y = sin(2*a);
  end Doubled;
  model Turns
    Real a(unit = "rev") = time;
    Real y = cos(a);
  end Turns;
  model Learned
    Real a(unit = "deg") = 10*time, b;
    Real y = tan(b);
  equation
    b = a;
  end Learned;
  model Clock
    parameter Real w(unit = "deg/s") = 30;
    Real y = sin(w*time);
  end Clock;
  model Shifted
    Real a(unit = "deg") = 90*time, b(unit = "deg") = 5*time;
    Real y = sin(a - b);
  end Shifted;
  model Converted
    Real a(unit = "deg") = 90*time;
    Real y = sin(a*Modelica.Constants.pi/180);
  end Converted;
  model Divided
    Real a(unit = "deg") = 90*time;
    Real y = sin(a/57.29577951308232);
  end Divided;
  model Radians
    Real a(unit = "rad", displayUnit = "deg") = 3*time;
    Real y = tan(a);
  end Radians;
  model Frequency
    parameter Real f(unit = "Hz") = 2;
    parameter Real w(unit = "rad/s") = 2;
    Real y = sin(2*Modelica.Constants.pi*f*time) + cos(w*time);
  end Frequency;
  model Plain
    Real a = 90*time;
    Real y = sin(a);
  end Plain;
  model Arc
    Real a(unit = "deg") = asin(time/2);
  end Arc;
end Angles;
