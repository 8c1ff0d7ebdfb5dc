model Prescribed "A mass whose position, speed and acceleration are given: the author of `place` says what its derivatives are"
  function place
    input Real q[3];
    input Real t;
    output Real s;
  algorithm
    s := q[1];
    annotation(derivative(noDerivative = q) = speed, InlineAfterIndexReduction = true);
  end place;
  function speed
    input Real q[3];
    input Real t;
    input Real dt;
    output Real v;
  algorithm
    v := q[2];
    annotation(derivative(noDerivative = q, order = 2) = acceleration, InlineAfterIndexReduction = true);
  end speed;
  function acceleration
    input Real q[3];
    input Real t;
    input Real dt;
    input Real ddt;
    output Real a;
  algorithm
    a := q[3];
    annotation(InlineAfterIndexReduction = true);
  end acceleration;
  input Real q[3] = {2, 3, 5} "has no derivatives";
  parameter Real m = 7;
  Real s, v, a;
  Real f "what it takes";
equation
  s = place(q, time);
  v = der(s);
  a = der(v);
  m * a = f;
end Prescribed;
