// Three coils in a star without a neutral wire, from a source of three phases; each has R and L, so that i[k] = A sin(w t - phi_k - delta) + decay.
model ThreePhases
  parameter Real R = 1, L = 0.003, w = 31.41592653589793, alpha = 0;
  Real i[3](each start = 0), v[3], u[3], r[3], coil[3], s, T;
initial equation
  i[1] = 0;
  i[2] = 0;
equation
  T = 20;
  for k in 1:3 loop
    u[k] = sin(w*time - 2*3.141592653589793*(k - 1)/3);
    r[k] = (1 + alpha*(T - 20))*R;
    L*der(i[k]) = coil[k];
    coil[k] = u[k] - v[k];
    v[k] - s = r[k]*i[k];
  end for;
  i[1] + i[2] + i[3] = 0;
end ThreePhases;
