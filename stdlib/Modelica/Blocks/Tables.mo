within Modelica.Blocks;
package Tables "Functions that are given by numbers"
  extends Modelica.Icons.Package;

  block CombiTable1Ds "One input; an output for each column of a table whose first column is the input"
    extends Modelica.Blocks.Interfaces.SIMO(final nout = size(columns, 1));
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
    parameter Boolean verboseExtrapolation = false "has no effect here";
    final parameter Real u_min = Internal.getTable1DAbscissaUmin(tableID) "first value of the input";
    final parameter Real u_max = Internal.getTable1DAbscissaUmax(tableID) "last value of the input";
  protected
    parameter Modelica.Blocks.Types.ExternalCombiTable1D tableID = Modelica.Blocks.Types.ExternalCombiTable1D(
      if tableOnFile then tableName else "NoName", if tableOnFile then fileName else "NoName", table, columns, smoothness,
      extrapolation, verboseRead, delimiter, nHeaderLines);
  equation
    for i in 1:nout loop
      y[i] = Internal.getTable1DValue(tableID, i, u);
    end for;
  end CombiTable1Ds;

  block CombiTable1Dv "An input and an output for each column of a table whose first column is the input"
    extends Modelica.Blocks.Interfaces.MIMOs(final n = size(columns, 1));
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
    parameter Boolean verboseExtrapolation = false "has no effect here";
    final parameter Real u_min = Internal.getTable1DAbscissaUmin(tableID) "first value of the input";
    final parameter Real u_max = Internal.getTable1DAbscissaUmax(tableID) "last value of the input";
  protected
    parameter Modelica.Blocks.Types.ExternalCombiTable1D tableID = Modelica.Blocks.Types.ExternalCombiTable1D(
      if tableOnFile then tableName else "NoName", if tableOnFile then fileName else "NoName", table, columns, smoothness,
      extrapolation, verboseRead, delimiter, nHeaderLines);
  equation
    for i in 1:n loop
      y[i] = Internal.getTable1DValue(tableID, i, u[i]);
    end for;
  end CombiTable1Dv;

  block CombiTable2Ds "A function of two inputs: the first column has values of u1, the first row those of u2"
    extends Modelica.Blocks.Interfaces.SI2SO;
    parameter Boolean tableOnFile = false "the numbers come from a file";
    parameter Real table[:, :] = fill(0.0, 0, 2) "the numbers, when they come from no file";
    parameter String tableName = "NoName" "name of the table in the file";
    parameter String fileName = "NoName" "text, .csv or .mat";
    parameter Boolean verboseRead = true "has no effect here";
    parameter String delimiter = "," "of columns in a .csv file";
    parameter Integer nHeaderLines = 0 "lines of a .csv file before its numbers";
    parameter Modelica.Blocks.Types.Smoothness smoothness = Modelica.Blocks.Types.Smoothness.LinearSegments;
    parameter Modelica.Blocks.Types.Extrapolation extrapolation = Modelica.Blocks.Types.Extrapolation.LastTwoPoints;
    parameter Boolean verboseExtrapolation = false "has no effect here";
  protected
    parameter Modelica.Blocks.Types.ExternalCombiTable2D tableID = Modelica.Blocks.Types.ExternalCombiTable2D(
      if tableOnFile then tableName else "NoName", if tableOnFile then fileName else "NoName", table, smoothness,
      extrapolation, verboseRead, delimiter, nHeaderLines);
  equation
    y = Internal.getTable2DValue(tableID, u1, u2);
  end CombiTable2Ds;

  block CombiTable2Dv "Functions of two vectors of inputs, element by element, by one table"
    parameter Integer n(min = 1) = 1 "number of elements";
    Modelica.Blocks.Interfaces.RealInput u1[n];
    Modelica.Blocks.Interfaces.RealInput u2[n];
    Modelica.Blocks.Interfaces.RealOutput y[n];
    parameter Boolean tableOnFile = false "the numbers come from a file";
    parameter Real table[:, :] = fill(0.0, 0, 2) "the numbers, when they come from no file";
    parameter String tableName = "NoName" "name of the table in the file";
    parameter String fileName = "NoName" "text, .csv or .mat";
    parameter Boolean verboseRead = true "has no effect here";
    parameter String delimiter = "," "of columns in a .csv file";
    parameter Integer nHeaderLines = 0 "lines of a .csv file before its numbers";
    parameter Modelica.Blocks.Types.Smoothness smoothness = Modelica.Blocks.Types.Smoothness.LinearSegments;
    parameter Modelica.Blocks.Types.Extrapolation extrapolation = Modelica.Blocks.Types.Extrapolation.LastTwoPoints;
    parameter Boolean verboseExtrapolation = false "has no effect here";
  protected
    parameter Modelica.Blocks.Types.ExternalCombiTable2D tableID = Modelica.Blocks.Types.ExternalCombiTable2D(
      if tableOnFile then tableName else "NoName", if tableOnFile then fileName else "NoName", table, smoothness,
      extrapolation, verboseRead, delimiter, nHeaderLines);
  equation
    for i in 1:n loop
      y[i] = Internal.getTable2DValue(tableID, u1[i], u2[i]);
    end for;
  end CombiTable2Dv;

  package Internal "What the blocks call"
    extends Modelica.Icons.InternalPackage;

    function getTable1DValue "the value of a column"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID;
      input Integer icol;
      input Real u;
      output Real y;
      external "C" y = ModelicaStandardTables_CombiTable1D_getValue(tableID, icol, u);
      annotation(derivative = getDerTable1DValue);
    end getTable1DValue;

    function getDerTable1DValue "its derivative by time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID;
      input Integer icol;
      input Real u;
      input Real der_u;
      output Real der_y;
      external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(tableID, icol, u, der_u);
      annotation(derivative(order = 2) = getDer2Table1DValue);
    end getDerTable1DValue;

    function getDer2Table1DValue "its second derivative by time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID;
      input Integer icol;
      input Real u;
      input Real der_u;
      input Real der2_u;
      output Real der2_y;
      external "C" der2_y = ModelicaStandardTables_CombiTable1D_getDer2Value(tableID, icol, u, der_u, der2_u);
    end getDer2Table1DValue;

    function getTable1DAbscissaUmin "the first value of the input"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID;
      output Real uMin;
      external "C" uMin = ModelicaStandardTables_CombiTable1D_minimumAbscissa(tableID);
    end getTable1DAbscissaUmin;

    function getTable1DAbscissaUmax "the last value of the input"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID;
      output Real uMax;
      external "C" uMax = ModelicaStandardTables_CombiTable1D_maximumAbscissa(tableID);
    end getTable1DAbscissaUmax;

    function getTable2DValue "the value"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID;
      input Real u1;
      input Real u2;
      output Real y;
      external "C" y = ModelicaStandardTables_CombiTable2D_getValue(tableID, u1, u2);
      annotation(derivative = getDerTable2DValue);
    end getTable2DValue;

    function getDerTable2DValue "its derivative by time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID;
      input Real u1;
      input Real u2;
      input Real der_u1;
      input Real der_u2;
      output Real der_y;
      external "C" der_y = ModelicaStandardTables_CombiTable2D_getDerValue(tableID, u1, u2, der_u1, der_u2);
      annotation(derivative(order = 2) = getDer2Table2DValue);
    end getDerTable2DValue;

    function getDer2Table2DValue "its second derivative by time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID;
      input Real u1;
      input Real u2;
      input Real der_u1;
      input Real der_u2;
      input Real der2_u1;
      input Real der2_u2;
      output Real der2_y;
      external "C" der2_y = ModelicaStandardTables_CombiTable2D_getDer2Value(tableID, u1, u2, der_u1, der_u2, der2_u1, der2_u2);
    end getDer2Table2DValue;

    function getTimeTableValue "the value of a column"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID;
      input Integer icol;
      input Real timeIn;
      discrete input Real nextTimeEvent;
      discrete input Real pre_nextTimeEvent;
      output Real y;
      external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent);
      annotation(derivative(noDerivative = nextTimeEvent, noDerivative = pre_nextTimeEvent) = getDerTimeTableValue);
    end getTimeTableValue;

    function getDerTimeTableValue "its derivative by time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID;
      input Integer icol;
      input Real timeIn;
      discrete input Real nextTimeEvent;
      discrete input Real pre_nextTimeEvent;
      input Real der_timeIn;
      output Real der_y;
      external "C" der_y = ModelicaStandardTables_CombiTimeTable_getDerValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent, der_timeIn);
      annotation(derivative(order = 2, noDerivative = nextTimeEvent, noDerivative = pre_nextTimeEvent) = getDer2TimeTableValue);
    end getDerTimeTableValue;

    function getDer2TimeTableValue "its second derivative by time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID;
      input Integer icol;
      input Real timeIn;
      discrete input Real nextTimeEvent;
      discrete input Real pre_nextTimeEvent;
      input Real der_timeIn;
      input Real der2_timeIn;
      output Real der2_y;
      external "C" der2_y = ModelicaStandardTables_CombiTimeTable_getDer2Value(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent, der_timeIn, der2_timeIn);
    end getDer2TimeTableValue;

    function getNextTimeEvent "the time of the next point"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID;
      input Real timeIn;
      output Real nextTimeEvent;
      external "C" nextTimeEvent = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(tableID, timeIn);
    end getNextTimeEvent;

    function getTimeTableTmin "the first time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID;
      output Modelica.Units.SI.Time timeMin;
      external "C" timeMin = ModelicaStandardTables_CombiTimeTable_minimumTime(tableID);
    end getTimeTableTmin;

    function getTimeTableTmax "the last time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID;
      output Modelica.Units.SI.Time timeMax;
      external "C" timeMax = ModelicaStandardTables_CombiTimeTable_maximumTime(tableID);
    end getTimeTableTmax;
  end Internal;
end Tables;
