within Modelica.Blocks;
package Continuous "Linear systems"
  import Modelica.Blocks.Types.Init;
  extends Modelica.Icons.Package;

  block Integrator "y' = k*u"
    extends Modelica.Blocks.Interfaces.SISO(y(start = y_start));
    parameter Real k = 1 "gain";
    parameter Init initType = Init.InitialState;
    parameter Real y_start = 0;
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(y) = k*u;
  end Integrator;

  block Derivative "the derivative of u after a lag of T: k*s/(T*s + 1)"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Real k = 1 "gain";
    parameter Modelica.Units.SI.Time T(min = Modelica.Constants.small) = 0.01 "time constant";
    parameter Init initType = Init.NoInit;
    parameter Real x_start = 0;
    parameter Real y_start = 0;
    Real x(start = x_start) "u after the lag";
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(x) = (u - x)/T;
    y = k*(u - x)/T;
  end Derivative;

  block FirstOrder "k/(T*s + 1)"
    extends Modelica.Blocks.Interfaces.SISO(y(start = y_start));
    parameter Real k = 1 "gain";
    parameter Modelica.Units.SI.Time T = 1 "time constant";
    parameter Init initType = Init.NoInit;
    parameter Real y_start = 0;
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(y) = (k*u - y)/T;
  end FirstOrder;

  block SecondOrder "k/((s/w)^2 + 2*D*s/w + 1)"
    extends Modelica.Blocks.Interfaces.SISO(y(start = y_start));
    parameter Real k = 1 "gain";
    parameter Real w = 1 "angular frequency without damping";
    parameter Real D = 1 "damping, 1 is critical";
    parameter Init initType = Init.NoInit;
    parameter Real y_start = 0;
    parameter Real yd_start = 0;
    Real yd(start = yd_start) "derivative of y";
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
      der(yd) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
      yd = yd_start;
    end if;
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block PI "k*(1 + 1/(T*s))"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Real k = 1 "gain";
    parameter Modelica.Units.SI.Time T(min = Modelica.Constants.small) = 1 "time constant";
    parameter Init initType = Init.NoInit;
    parameter Real x_start = 0;
    parameter Real y_start = 0;
    Real x(start = x_start) "integral of u, divided by T";
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(x) = u/T;
    y = k*(x + u);
  end PI;

  block StateSpace "x' = A*x + B*u, y = C*x + D*u"
    extends Modelica.Blocks.Interfaces.MIMO(final nin = size(B, 2), final nout = size(C, 1));
    parameter Real A[:, size(A, 1)];
    parameter Real B[size(A, 1), :];
    parameter Real C[:, size(A, 1)];
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2));
    parameter Init initType = Init.NoInit;
    parameter Real x_start[size(A, 1)] = zeros(size(A, 1));
    Real x[size(A, 1)](start = x_start) "states";
  initial equation
    if initType == Init.SteadyState then
      der(x) = zeros(size(A, 1));
    elseif initType == Init.InitialState then
      x = x_start;
    end if;
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;
end Continuous;
