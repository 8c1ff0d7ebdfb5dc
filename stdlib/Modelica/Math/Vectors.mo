within Modelica.Math;
package Vectors "Functions of vectors"
  extends Modelica.Icons.Package;

  function norm "p-norm: 1 sums magnitudes, 2 is Euclid's, Modelica.Constants.inf takes the largest"
    extends Modelica.Icons.Function;
    input Real v[:];
    input Real p(min = 1) = 2;
    output Real result;
  algorithm
    if p == 2 then
      result := sqrt(sum(v[i]^2 for i in 1:size(v, 1)));
    elseif p == Modelica.Constants.inf then
      result := max(abs(v[i]) for i in 1:size(v, 1));
    elseif p == 1 then
      result := sum(abs(v[i]) for i in 1:size(v, 1));
    else
      result := sum(abs(v[i])^p for i in 1:size(v, 1))^(1/p);
    end if;
  end norm;

  function length "Euclidean length"
    extends Modelica.Icons.Function;
    input Real v[:];
    output Real result;
  algorithm
    result := sqrt(v*v);
  end length;

  function normalize "the vector divided by its length; short vectors are divided by eps, so that zero stays zero"
    extends Modelica.Icons.Function;
    input Real v[:];
    input Real eps(min = 0) = 100*Modelica.Constants.eps;
    output Real result[size(v, 1)];
  algorithm
    result := v/max(Modelica.Math.Vectors.length(v), eps);
  end normalize;

  function reverse "the elements in opposite order"
    extends Modelica.Icons.Function;
    input Real v[:];
    output Real result[size(v, 1)];
  algorithm
    for i in 1:size(v, 1) loop
      result[i] := v[size(v, 1) + 1 - i];
    end for;
  end reverse;

  function isEqual "whether all elements agree to eps"
    extends Modelica.Icons.Function;
    input Real v1[:];
    input Real v2[:];
    input Real eps(min = 0) = 0;
    output Boolean result;
  algorithm
    result := size(v1, 1) == size(v2, 1);
    if result then
      for i in 1:size(v1, 1) loop
        if abs(v1[i] - v2[i]) > eps then
          result := false;
        end if;
      end for;
    end if;
  end isEqual;

  function interpolate "value at xi of the polygon through the points (x[i], y[i]); x increases, beyond its ends the outer pieces continue"
    extends Modelica.Icons.Function;
    input Real x[:];
    input Real y[size(x, 1)];
    input Real xi;
    output Real yi;
  algorithm
    yi := y[1];
    if size(x, 1) > 1 then
      yi := y[1] + (y[2] - y[1])*((xi - x[1])/(x[2] - x[1]));
    end if;
    for i in 2:size(x, 1) - 1 loop
      if xi >= x[i] and x[i + 1] > x[i] then
        yi := y[i] + (y[i + 1] - y[i])*((xi - x[i])/(x[i + 1] - x[i]));
      end if;
    end for;
  end interpolate;
end Vectors;
