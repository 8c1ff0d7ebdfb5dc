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

  block CombiTimeTable "Columns of a table whose first column is time"
    extends Modelica.Blocks.Interfaces.MO(final nout = max(size(columns, 1), size(offset, 1)));
    parameter Boolean tableOnFile = false "the numbers come from a file";
    parameter Real table[:, :] = fill(0.0, 0, 2) "the numbers, when they come from no file";
    parameter String tableName = "NoName" "name of the table in the file";
    parameter String fileName = "NoName" "text, .csv or .mat";
    parameter Boolean verboseRead = true "has no effect here";
    parameter String delimiter = "," "of columns in a .csv file";
    parameter Integer nHeaderLines = 0 "lines of a .csv file before its numbers";
    parameter Integer columns[:] = 2:size(table, 2) "columns that become outputs";
    parameter Modelica.Blocks.Types.Smoothness smoothness = Modelica.Blocks.Types.Smoothness.LinearSegments;
    parameter Modelica.Blocks.Types.Extrapolation extrapolation = Modelica.Blocks.Types.Extrapolation.LastTwoPoints;
    parameter Modelica.Units.SI.Time timeScale(min = Modelica.Constants.eps) = 1 "seconds of a unit of the first column";
    parameter Real offset[:] = {0} "added to the outputs";
    parameter Modelica.Units.SI.Time startTime = 0 "before it the outputs are offset";
    parameter Modelica.Units.SI.Time shiftTime = startTime "the table begins so much later";
    parameter Modelica.Blocks.Types.TimeEvents timeEvents = Modelica.Blocks.Types.TimeEvents.Always;
    parameter Boolean verboseExtrapolation = false "has no effect here";
    final parameter Modelica.Units.SI.Time t_min = t_minScaled*timeScale "first time of the table";
    final parameter Modelica.Units.SI.Time t_max = t_maxScaled*timeScale "last time of the table";
    final parameter Real t_minScaled = Modelica.Blocks.Tables.Internal.getTimeTableTmin(tableID);
    final parameter Real t_maxScaled = Modelica.Blocks.Tables.Internal.getTimeTableTmax(tableID);
  protected
    final parameter Real p_offset[nout] = if size(offset, 1) == 1 then ones(nout)*offset[1] else offset;
    parameter Modelica.Blocks.Types.ExternalCombiTimeTable tableID = Modelica.Blocks.Types.ExternalCombiTimeTable(
      if tableOnFile then tableName else "NoName", if tableOnFile then fileName else "NoName", table, startTime/timeScale,
      columns, smoothness, extrapolation, shiftTime/timeScale,
      if smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then timeEvents
        elseif smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments then timeEvents
        else Modelica.Blocks.Types.TimeEvents.NoTimeEvents,
      verboseRead, delimiter, nHeaderLines);
    discrete Modelica.Units.SI.Time nextTimeEvent(start = 0, fixed = true);
    discrete Real nextTimeEventScaled(start = 0, fixed = true);
    Real timeScaled = time/timeScale "in units of the first column";
  equation
    when {time >= pre(nextTimeEvent), initial()} then
      nextTimeEventScaled = Modelica.Blocks.Tables.Internal.getNextTimeEvent(tableID, timeScaled);
      nextTimeEvent = if nextTimeEventScaled < Modelica.Constants.inf then nextTimeEventScaled*timeScale else Modelica.Constants.inf;
    end when;
    for i in 1:nout loop
      y[i] = p_offset[i] + Modelica.Blocks.Tables.Internal.getTimeTableValue(tableID, i, timeScaled, nextTimeEventScaled, pre(nextTimeEventScaled));
    end for;
  end CombiTimeTable;
end Sources;
