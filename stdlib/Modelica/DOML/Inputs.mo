within Modelica.DOML;
package Inputs "Signals with an output y, for data and for given controls"
  extends Modelica.Icons.SourcesPackage;

  partial block Input "what all inputs have in common"
    parameter Modelica.Units.SI.Time startTime = 0 "first time at which the signal is used";
    parameter Modelica.Units.SI.Time finalTime = 1 "last time at which the signal is used";
    Modelica.Blocks.Interfaces.RealOutput y;
  end Input;

  block Constant "the same value always"
    extends Input;
    parameter Real k = 0 "value";
  equation
    y = k;
  end Constant;

  block PiecewiseConstant "one value on each of the equal intervals between startTime and finalTime"
    extends Input;
    parameter Real values[:] "in the order of the intervals";
  equation
    y = Functions.staircase(startTime, finalTime, values, time);
  end PiecewiseConstant;

  block Spline "a spline through the rows (time, value) of a table; beyond its ends the outer values are kept"
    extends Input;
    parameter Integer degree(min = 1, max = 3) = 1 "1: polygon, 3: natural cubic spline";
    parameter Real table[:, 2] "first column: times that never decrease; of equal times the last row counts from there on";
  protected
    final parameter Real curvature[size(table, 1)] = if degree == 3 then Functions.curvatures(table) else zeros(size(table, 1));
  equation
    assert(degree == 1 or degree == 3, "the degree of a spline is 1 or 3");
    y = Functions.spline(table, curvature, time);
  end Spline;

  block Polynomial "coefficients[1] + coefficients[2]*t + coefficients[3]*t^2 + …, with t counted from startTime"
    extends Input;
    parameter Real coefficients[:];
  equation
    y = Functions.polynomial(coefficients, time - startTime);
  end Polynomial;

  block Fourier "a0 + sum(a[k]*cos(k*w*t) + b[k]*sin(k*w*t)), with t counted from startTime and w = 2*pi/period"
    extends Input;
    parameter Real a0 = 0 "mean value";
    parameter Real a[:] "factors of the cosines";
    parameter Real b[size(a, 1)] = zeros(size(a, 1)) "factors of the sines";
    parameter Modelica.Units.SI.Time period = finalTime - startTime;
  equation
    y = a0 + sum(a[k]*cos(2*Modelica.Constants.pi*k*(time - startTime)/period) + b[k]*sin(2*Modelica.Constants.pi*k*(time - startTime)/period)
      for k in 1:size(a, 1));
  end Fourier;

  block Table "a spline through one column of a table, which may come from a CSV file"
    extends Input;
    parameter String fileName = "" "the table when `table` is not given";
    parameter Real table[:, :] = Modelica.DOML.readTable(fileName) "first column: times";
    parameter Integer column(min = 2) = 2 "column of the values";
    parameter Integer degree(min = 1, max = 3) = 1 "1: polygon, 3: natural cubic spline";
  protected
    final parameter Real points[size(table, 1), 2] = [table[:, 1], table[:, column]];
    final parameter Real curvature[size(table, 1)] = if degree == 3 then Functions.curvatures(points) else zeros(size(table, 1));
  equation
    assert(degree == 1 or degree == 3, "the degree of a spline is 1 or 3");
    y = Functions.spline(points, curvature, time);
  end Table;

  package Functions "The mathematics of the blocks"
    extends Modelica.Icons.FunctionsPackage;

    function staircase "values[k] on the k-th of n equal intervals of [t0, t1]"
      extends Modelica.Icons.Function;
      input Real t0;
      input Real t1;
      input Real values[:];
      input Real t;
      output Real y;
    protected
      Integer n = size(values, 1);
    algorithm
      y := values[1];
      for k in 2:n loop
        if t >= t0 + (k - 1)*(t1 - t0)/n then
          y := values[k];
        end if;
      end for;
    end staircase;

    function polynomial "Horner's rule"
      extends Modelica.Icons.Function;
      input Real c[:];
      input Real t;
      output Real y;
    algorithm
      y := 0;
      for k in size(c, 1):-1:1 loop
        y := y*t + c[k];
      end for;
      annotation(smoothOrder = 100);
    end polynomial;

    function spline "value at t of the cubic pieces with given second derivatives m at the points; m = 0 gives the polygon"
      extends Modelica.Icons.Function;
      input Real points[:, 2];
      input Real m[size(points, 1)];
      input Real t;
      output Real y;
    protected
      Integer n = size(points, 1);
      Real h "length of a piece";
      Real a "share of its left end";
      Real b "share of its right end";
    algorithm
      y := points[1, 2];
      for k in 1:n - 1 loop
        h := points[k + 1, 1] - points[k, 1];
        if h > 0 and t >= points[k, 1] then
          b := (t - points[k, 1])/h;
          a := 1 - b;
          y := a*points[k, 2] + b*points[k + 1, 2] + ((a^3 - a)*m[k] + (b^3 - b)*m[k + 1])*h^2/6;
        end if;
      end for;
      if t >= points[n, 1] then
        y := points[n, 2];
      end if;
    end spline;

    function curvatures "second derivatives at the points of the natural cubic spline: a tridiagonal system, solved from left to right and back"
      extends Modelica.Icons.Function;
      input Real points[:, 2] "times must increase";
      output Real m[size(points, 1)];
    protected
      Integer n = size(points, 1);
      Real p "pivot";
      Real left "length of the piece on the left";
      Real right "length of the piece on the right";
      Real upper[size(points, 1)] "eliminated upper diagonal";
    algorithm
      m := zeros(n);
      upper := zeros(n);
      for k in 2:n - 1 loop
        left := points[k, 1] - points[k - 1, 1];
        right := points[k + 1, 1] - points[k, 1];
        assert(left > 0 and right > 0, "the times of a cubic spline must increase");
        p := 2*(left + right) - left*upper[k - 1];
        upper[k] := right/p;
        m[k] := (6*((points[k + 1, 2] - points[k, 2])/right - (points[k, 2] - points[k - 1, 2])/left) - left*m[k - 1])/p;
      end for;
      for k in n - 1:-1:2 loop
        m[k] := m[k] - upper[k]*m[k + 1];
      end for;
    end curvatures;
  end Functions;
end Inputs;
