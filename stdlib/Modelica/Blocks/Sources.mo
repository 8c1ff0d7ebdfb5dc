within Modelica.Blocks;
package Sources "Signals as functions of time. Conditions are taken literally (noEvent), so that no events arise"
  extends Modelica.Icons.SourcesPackage;

  block RealExpression "an expression, given as y = …"
    Modelica.Blocks.Interfaces.RealOutput y = 0.0 "the expression";
  end RealExpression;

  block ContinuousClock "time since startTime"
    extends Modelica.Blocks.Interfaces.SignalSource;
  equation
    y = offset + noEvent(if time < startTime then 0 else time - startTime);
  end ContinuousClock;

  block Clock = ContinuousClock "the name it had before version 4";

  block Constant "the same value always"
    extends Modelica.Blocks.Interfaces.SO;
    parameter Real k = 1 "value";
  equation
    y = k;
  end Constant;

  block Step "a jump at startTime"
    extends Modelica.Blocks.Interfaces.SignalSource;
    parameter Real height = 1;
  equation
    y = offset + noEvent(if time < startTime then 0 else height);
  end Step;

  block Ramp "a constant slope between two constants"
    extends Modelica.Blocks.Interfaces.SignalSource;
    parameter Real height = 1;
    parameter Modelica.Units.SI.Time duration(min = 0) = 2 "0 makes it a step";
  equation
    y = offset + noEvent(if time < startTime then 0 elseif time < startTime + duration then (time - startTime)*height/max(duration, Modelica.Constants.small) else height);
  end Ramp;

  block Sine "a sine that begins at startTime"
    extends Modelica.Blocks.Interfaces.SignalSource;
    parameter Real amplitude = 1;
    parameter Modelica.Units.SI.Frequency f(start = 1) = 1;
    parameter Modelica.Units.SI.Angle phase = 0;
  equation
    y = offset + noEvent(if time < startTime then 0 else amplitude*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end Sine;

  block Cosine "a cosine that begins at startTime"
    extends Modelica.Blocks.Interfaces.SignalSource;
    parameter Real amplitude = 1;
    parameter Modelica.Units.SI.Frequency f(start = 1) = 1;
    parameter Modelica.Units.SI.Angle phase = 0;
  equation
    y = offset + noEvent(if time < startTime then 0 else amplitude*cos(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end Cosine;

  block ExpSine "a sine that dies away"
    extends Modelica.Blocks.Interfaces.SignalSource;
    parameter Real amplitude = 1;
    parameter Modelica.Units.SI.Frequency f(start = 2) = 2;
    parameter Modelica.Units.SI.Angle phase = 0;
    parameter Modelica.Units.SI.DampingCoefficient damping = 1;
  equation
    y = offset + noEvent(if time < startTime then 0 else
      amplitude*exp(-damping*(time - startTime))*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end ExpSine;

  block TimeTable "a polygon through the rows (time, value) of a table"
    extends Modelica.Blocks.Interfaces.SignalSource;
    parameter Real table[:, 2] "first column: times in increasing order";
  equation
    y = offset + noEvent(if time < startTime then 0 else Modelica.Math.Vectors.interpolate(table[:, 1], table[:, 2], time - startTime));
  end TimeTable;
end Sources;
