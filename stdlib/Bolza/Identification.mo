within Bolza;
package Identification "Unknown functions of the state, whose coefficients measurements determine (bolza identify)"

  partial block UnknownFunction "what all unknown functions of one variable have in common"
    input Real u "argument";
    output Real y "value";
  end UnknownFunction;

  block BSpline "slope*(u - lower) + sum of n cubic B-splines at equal distances: a natural cubic spline that is 0 at lower and straight beyond both ends"
    extends UnknownFunction;
    parameter Real lower = 0 "where the function is 0";
    parameter Real upper = 1 "end of the range";
    parameter Integer n(min = 1) = 3 "B-splines between the ends: 1 at their own knot, 1/4 at the next ones";
    parameter Real c[:] = {1} "operating conditions on which the coefficients depend linearly";
    parameter Real A[n + 1, size(c, 1)](each free = true, each selectable = true, each initialGuess = 0) "rows: slope, then the B-splines";
    Real s[n + 1] "terms: the straight line, then the B-splines";
  protected
    parameter Real h = (upper - lower)/(n + 1) "distance of knots";
  equation
    s[1] = u - lower;
    for k in 1:n loop
      s[k + 1] = Functions.hat((u - lower)/h, k, n);
    end for;
    y = sum(sum(A[k, j]*c[j] for j in 1:size(c, 1))*s[k] for k in 1:n + 1);
  end BSpline;

  block NaturalSpline "natural cubic spline through free values at given knots, straight beyond both ends"
    extends UnknownFunction;
    parameter Real knots[:] = {0, 0.25, 0.5, 0.75, 1} "ascending";
    parameter Real c[:] = {1} "operating conditions on which the values depend linearly";
    parameter Real A[size(knots, 1), size(c, 1)](each free = true, each selectable = true, each initialGuess = 0) "a row for each knot";
  protected
    final parameter Real curvature[size(knots, 1), size(knots, 1)] = Functions.curvatures(knots) "second derivatives by values";
    Real s[size(knots, 1)] "natural splines that are 1 at one knot and 0 at all others";
  equation
    for k in 1:size(knots, 1) loop
      s[k] = Functions.natural(knots, {if i == k then 1.0 else 0.0 for i in 1:size(knots, 1)}, curvature[:, k], u);
    end for;
    y = sum(sum(A[k, j]*c[j] for j in 1:size(c, 1))*s[k] for k in 1:size(knots, 1));
  end NaturalSpline;

  block NeuralNetwork "y = W2*tanh(W1*u + b1) + b2, one hidden layer"
    parameter Integer nu = 1 "inputs";
    parameter Integer ny = 1 "outputs";
    parameter Integer nh = 3 "hidden units";
    input Real u[nu];
    output Real y[ny];
    parameter Real W1[nh, nu](each free = true, initialGuess = {{sin(1 + 2*i + 3*j) for j in 1:nu} for i in 1:nh});
    parameter Real b1[nh](each free = true, initialGuess = {cos(1 + 2*i) for i in 1:nh});
    parameter Real W2[ny, nh](each free = true, each initialGuess = 0);
    parameter Real b2[ny](each free = true, each initialGuess = 0);
  protected
    Real hidden[nh];
  equation
    hidden = tanh(W1*u + b1);
    y = W2*hidden + b2;
  end NeuralNetwork;

  package Functions "The mathematics of the blocks"
    extends Modelica.Icons.FunctionsPackage;

    function bump "cubic B-spline of unit distance: 1 at 0, 1/4 at -1 and 1, 0 beyond -2 and 2; twice continuously differentiable"
      extends Modelica.Icons.Function;
      input Real x;
      output Real y;
    algorithm
      y := (max(2 - abs(x), 0)^3 - 4*max(1 - abs(x), 0)^3)/4;
    end bump;

    function hat "the k-th of n B-splines with knots 0, 1, ..., n + 1: the outer ones are made 0 and straight at the ends, by reflection"
      extends Modelica.Icons.Function;
      input Real x;
      input Integer k;
      input Integer n;
      output Real y;
    protected
      Real w "x within the knots";
    algorithm
      w := min(max(x, 0), n + 1);
      y := bump(w - k);
      if k == 1 then
        y := y - bump(w + 1) + 1.5*min(x, 0);
      end if;
      if k == n then
        y := y - bump(w - n - 2) - 1.5*max(x - n - 1, 0);
      end if;
    end hat;

    function natural "value at x of the cubic pieces with values v and second derivatives m at the knots, straight beyond them"
      extends Modelica.Icons.Function;
      input Real knots[:];
      input Real v[size(knots, 1)];
      input Real m[size(knots, 1)];
      input Real x;
      output Real y;
    protected
      Integer n = size(knots, 1);
      Real h "length of a piece";
      Real b "share of its right end";
    algorithm
      h := knots[2] - knots[1];
      y := v[1] + (x - knots[1])*((v[2] - v[1])/h - h*m[2]/6);
      for k in 1:n - 1 loop
        if x >= knots[k] then
          h := knots[k + 1] - knots[k];
          b := (x - knots[k])/h;
          y := (1 - b)*v[k] + b*v[k + 1] + (((1 - b)^3 - (1 - b))*m[k] + (b^3 - b)*m[k + 1])*h^2/6;
        end if;
      end for;
      if x >= knots[n] then
        h := knots[n] - knots[n - 1];
        y := v[n] + (x - knots[n])*((v[n] - v[n - 1])/h + h*m[n - 1]/6);
      end if;
    end natural;

    function curvatures "column k: second derivatives at the knots of the natural cubic spline that is 1 at knot k and 0 at the others"
      extends Modelica.Icons.Function;
      input Real knots[:] "must increase";
      output Real m[size(knots, 1), size(knots, 1)];
    protected
      Integer n = size(knots, 1);
      Real left "length of the piece on the left";
      Real right "length of the piece on the right";
      Real p "pivot";
      Real upper[size(knots, 1)] "eliminated upper diagonal";
    algorithm
      m := zeros(n, n);
      upper := zeros(n);
      for i in 2:n - 1 loop
        left := knots[i] - knots[i - 1];
        right := knots[i + 1] - knots[i];
        assert(left > 0 and right > 0, "the knots of a spline must increase");
        p := 2*(left + right) - left*upper[i - 1];
        upper[i] := right/p;
        for k in 1:n loop
          m[i, k] := (6*((if k == i + 1 then 1/right else 0) - (if k == i then 1/right + 1/left else 0) + (if k == i - 1 then 1/left else 0))
            - left*m[i - 1, k])/p;
        end for;
      end for;
      for i in n - 1:-1:2 loop
        for k in 1:n loop
          m[i, k] := m[i, k] - upper[i]*m[i + 1, k];
        end for;
      end for;
    end curvatures;
  end Functions;
end Identification;
