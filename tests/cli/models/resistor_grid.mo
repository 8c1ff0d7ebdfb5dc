model ResistorGrid "N x N squares of wire; the current from corner to corner"
  parameter Integer N = 10;
  model R
    parameter Real R = 1;
    Real p, n, i;
  equation
    p - n = R*i;
  end R;
  R h[N, N + 1], v[N + 1, N];
  Real node[N + 1, N + 1], current = h[1, 1].i + v[1, 1].i;
equation
  for i in 1:N loop for j in 1:N + 1 loop
    h[i, j].p = node[i, j];
    h[i, j].n = node[i + 1, j];
  end for; end for;
  for i in 1:N + 1 loop for j in 1:N loop
    v[i, j].p = node[i, j];
    v[i, j].n = node[i, j + 1];
  end for; end for;
  for i in 1:N + 1 loop for j in 1:N + 1 loop
    if i == 1 and j == 1 then
      node[1, 1] = 1 + time;
    elseif i == N + 1 and j == N + 1 then
      node[N + 1, N + 1] = 0;
    else
      0 =
        (if i > 1 then h[max(i - 1, 1), j].i else 0)
        - (if i <= N then h[min(i, N), j].i else 0)
        + (if j > 1 then v[i, max(j - 1, 1)].i else 0)
        - (if j <= N then v[i, min(j, N)].i else 0);
    end if;
  end for; end for;
end ResistorGrid;
