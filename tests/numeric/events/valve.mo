model valve "an inductor behind a valve that closes"
  Real i(start = 0, fixed = true), G(start = 1, fixed = true), v;
equation
  1e-3*der(i) = sin(100*time) - i - v;
  i = G*v*(1 + 0.1*v^2);
  der(G) = -1000*(G - 1e-7);
end valve;
