// class: U
model U
  function work
    input Real F(unit = "N"), s[2](each unit = "m");
    output Real W(unit = "J");
  algorithm
    W := F*sum(s);
  end work;
  constant Real unitSpeed(unit = "m/s") = 1;
  Real F(unit = "N"), s(unit = "m", start = 0, fixed = true), v(unit = "m/s"), e(unit = "J"), q, wrong(unit = "m");
  parameter Real P(unit = "W") = 3, damping(unit = "N") = P/unitSpeed;
equation
  der(s) = v;
  v = unitSpeed*2;
  F = damping;
  e = work(F, {s, 2*s});
  q = work(F, {s, v});
  wrong = work(F, {s, s});
end U;
//| warn_units_of_functions.mo:17:3: warning: `v` and the input `s` of `work` have different units: m/s and m [E425]
//|   17 |   q = work(F, {s, v});
//|      |   ^~~~~~~~~~~~~~~~~~~
//| help: correct the equation, or the `unit` of one of its variables
//| warn_units_of_functions.mo:18:3: warning: `wrong` and `work(F, s, s)` have different units: m and J [E425]
//|   18 |   wrong = work(F, {s, s});
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~
//| help: correct the equation, or the `unit` of one of its variables
