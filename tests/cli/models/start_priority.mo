model StartPriority "z and a.z are one variable: the start that this model gives to a.z is nearer than that in Part"
  model Part
    Real z(start = 3);
  end Part;
  Part a(z(start = -3)), b;
  Real z;
equation
  a.z = b.z;
  z = b.z;
  z^2 = 4;
end StartPriority;
