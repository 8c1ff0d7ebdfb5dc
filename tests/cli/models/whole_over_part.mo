package WholeOverPart "the value of a record where a class is extended takes the place of values of its parts"
  record Curve
    parameter Real v[2] = {0, 0};
  end Curve;
  record Data
    Curve curve;
    parameter Real k = 1;
    parameter Integer n = 1;
  end Data;
  record Other
    extends Data(k = 7);
  end Other;
  model Pump
    replaceable parameter Data per constrainedby Data;
    Real y = per.k*time + per.curve.v[2] + per.n;
  end Pump;
  model Plant
    Pump p(redeclare Other per(curve(v = {5, 6}), n = 3));
    Pump q(per(curve(v = {5, 6}), n = 3));
  end Plant;
  model Changed
    extends Plant(p(per = mine), q(per = mine));
    parameter Data mine(curve(v = {1, 2}), k = 10, n = 4);
  end Changed;
  model Again
    extends Changed(p(per = yours));
    parameter Data yours(curve(v = {1, 20}), k = 100);
  end Again;
end WholeOverPart;
