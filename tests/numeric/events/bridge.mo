package Bridge "six ideal diodes between three sources and a load"
  model Diode
    parameter Real Ron = 1e-6, Goff = 1e-6;
    Real s(start = 0), v, i;
    Boolean off(start = true);
  equation
    off = s < 0;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;

  model Rectifier
    Diode upper[3], lower[3];
    Real u[3] = {sin(time - 2*k*3.14159265358979323846/3) for k in 1:3}, star, plus, minus, load = plus - minus;
    Real mean(start = 0, fixed = true);
    parameter Real R = 1;
  equation
    for k in 1:3 loop
      upper[k].v = u[k] + star - plus;
      lower[k].v = minus - u[k] - star;
    end for;
    sum(upper.i) = sum(lower.i);
    sum(upper.i) = load/R;
    star = 0;
    der(mean) = load;
  end Rectifier;
end Bridge;
