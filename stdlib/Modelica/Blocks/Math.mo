within Modelica.Blocks;
package Math "Functions as blocks"
  extends Modelica.Icons.Package;

  block Gain "a multiple of u"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Real k = 1 "factor";
  equation
    y = k*u;
  end Gain;

  block Add "a weighted sum of two inputs"
    extends Modelica.Blocks.Interfaces.SI2SO;
    parameter Real k1 = 1;
    parameter Real k2 = 1;
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Add3 "a weighted sum of three inputs"
    parameter Real k1 = 1;
    parameter Real k2 = 1;
    parameter Real k3 = 1;
    Modelica.Blocks.Interfaces.RealInput u1;
    Modelica.Blocks.Interfaces.RealInput u2;
    Modelica.Blocks.Interfaces.RealInput u3;
    Modelica.Blocks.Interfaces.RealOutput y;
  equation
    y = k1*u1 + k2*u2 + k3*u3;
  end Add3;

  block Feedback "u1 less u2"
    extends Modelica.Blocks.Interfaces.SI2SO;
  equation
    y = u1 - u2;
  end Feedback;

  block Product "u1 times u2"
    extends Modelica.Blocks.Interfaces.SI2SO;
  equation
    y = u1*u2;
  end Product;

  block Division "u1 divided by u2"
    extends Modelica.Blocks.Interfaces.SI2SO;
  equation
    y = u1/u2;
  end Division;

  block Sum "a weighted sum of all inputs"
    extends Modelica.Blocks.Interfaces.MISO;
    parameter Real k[nin] = ones(nin);
  equation
    y = k*u;
  end Sum;

  block MultiSum "a weighted sum of all inputs"
    extends Modelica.Blocks.Interfaces.MISO;
    parameter Real k[nin] = fill(1, nin);
  equation
    y = k*u;
  end MultiSum;

  block MatrixGain "the product of a matrix and the inputs"
    extends Modelica.Blocks.Interfaces.MIMO(final nin = size(K, 2), final nout = size(K, 1));
    parameter Real K[:, :] = [1, 0; 0, 1];
  equation
    y = K*u;
  end MatrixGain;

  block Max "the larger input, without an event"
    extends Modelica.Blocks.Interfaces.SI2SO;
  equation
    y = noEvent(max(u1, u2));
  end Max;

  block Min "the smaller input, without an event"
    extends Modelica.Blocks.Interfaces.SI2SO;
  equation
    y = noEvent(min(u1, u2));
  end Min;

  block Abs "magnitude of u"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = noEvent(abs(u));
  end Abs;

  block Sqrt "square root of u, which must not be negative"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = sqrt(u);
  end Sqrt;

  block Sin "sine"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = sin(u);
  end Sin;

  block Cos "cosine"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = cos(u);
  end Cos;

  block Tan "tangent"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = tan(u);
  end Tan;

  block Asin "inverse sine"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = asin(u);
  end Asin;

  block Acos "inverse cosine"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = acos(u);
  end Acos;

  block Atan "inverse tangent"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = atan(u);
  end Atan;

  block Sinh "hyperbolic sine"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = sinh(u);
  end Sinh;

  block Cosh "hyperbolic cosine"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = cosh(u);
  end Cosh;

  block Tanh "hyperbolic tangent"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = tanh(u);
  end Tanh;

  block Exp "exponential function"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = exp(u);
  end Exp;

  block Log10 "logarithm to the base 10"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = log10(u);
  end Log10;

  block Log "natural logarithm"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = log(u);
  end Log;

  block Atan2 "angle of the point (u2, u1)"
    extends Modelica.Blocks.Interfaces.SI2SO;
  equation
    y = atan2(u1, u2);
  end Atan2;
end Math;
