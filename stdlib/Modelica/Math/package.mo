within Modelica;
package Math "Elementary functions, vectors and matrices"
  extends Modelica.Icons.Package;

  function sin "sine"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Angle u;
    output Real y;
  external "builtin" y = sin(u);
  end sin;

  function cos "cosine"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Angle u;
    output Real y;
  external "builtin" y = cos(u);
  end cos;

  function tan "tangent"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Angle u;
    output Real y;
  external "builtin" y = tan(u);
  end tan;

  function asin "inverse sine"
    extends Modelica.Icons.Function;
    input Real u;
    output Modelica.Units.SI.Angle y;
  external "builtin" y = asin(u);
  end asin;

  function acos "inverse cosine"
    extends Modelica.Icons.Function;
    input Real u;
    output Modelica.Units.SI.Angle y;
  external "builtin" y = acos(u);
  end acos;

  function atan "inverse tangent"
    extends Modelica.Icons.Function;
    input Real u;
    output Modelica.Units.SI.Angle y;
  external "builtin" y = atan(u);
  end atan;

  function sinh "hyperbolic sine"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  external "builtin" y = sinh(u);
  end sinh;

  function cosh "hyperbolic cosine"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  external "builtin" y = cosh(u);
  end cosh;

  function tanh "hyperbolic tangent"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  external "builtin" y = tanh(u);
  end tanh;

  function exp "exponential function"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  external "builtin" y = exp(u);
  end exp;

  function log "natural logarithm"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  external "builtin" y = log(u);
  end log;

  function log10 "logarithm to the base 10"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  external "builtin" y = log10(u);
  end log10;

  function atan2 "angle of the point (u2, u1), in all four quadrants"
    extends Modelica.Icons.Function;
    input Real u1;
    input Real u2;
    output Modelica.Units.SI.Angle y;
  external "builtin" y = atan2(u1, u2);
  end atan2;

  function atan3 "the angle of the point (u2, u1) that is nearest to y0"
    extends Modelica.Icons.Function;
    input Real u1;
    input Real u2;
    input Modelica.Units.SI.Angle y0 = 0;
    output Modelica.Units.SI.Angle y;
  protected
    constant Real turn = 2*Modelica.Constants.pi;
    Real w;
  algorithm
    w := Modelica.Math.atan2(u1, u2);
    y := w + turn*floor((y0 - w)/turn + 0.5);
  end atan3;

  function asinh "inverse hyperbolic sine"
    extends Modelica.Icons.Function;
    input Real u;
    output Real y;
  algorithm
    y := if u >= 0 then Modelica.Math.log(u + sqrt(u*u + 1)) else -Modelica.Math.log(sqrt(u*u + 1) - u);
    annotation(smoothOrder = 100);
  end asinh;

  function acosh "inverse hyperbolic cosine, for u >= 1"
    extends Modelica.Icons.Function;
    input Real u(min = 1);
    output Real y;
  algorithm
    assert(u >= 1, "the argument of acosh is below 1");
    y := Modelica.Math.log(u + sqrt(u*u - 1));
  end acosh;
end Math;
