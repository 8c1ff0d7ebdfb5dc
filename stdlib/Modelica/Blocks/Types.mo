within Modelica.Blocks;
package Types "Choices"
  extends Modelica.Icons.TypesPackage;
  type Init = enumeration(
      NoInit "no equations: start values are guesses",
      SteadyState "derivatives are zero",
      InitialState "states have their start values",
      InitialOutput "outputs have their start values") "How a block begins";

  type Smoothness = enumeration(
      LinearSegments "straight lines between the points",
      ContinuousDerivative "Akima's splines",
      ConstantSegments "steps: the value of the last point holds",
      MonotoneContinuousDerivative1 "Fritsch and Butland's splines, monotone where the points are",
      MonotoneContinuousDerivative2 "Steffen's splines, monotone where the points are",
      ModifiedContinuousDerivative "Akima's splines with modified weights") "How a table is interpolated";

  type Extrapolation = enumeration(
      HoldLastPoint "the value at the end",
      LastTwoPoints "along the tangent at the end",
      Periodic "the table is repeated",
      NoExtrapolation "an error") "What a table is beyond its points";

  type TimeEvents = enumeration(
      Always "at every point of the table",
      AtDiscontinuities "where the signal jumps",
      NoTimeEvents "none") "Where a table over time makes events";

  class ExternalCombiTimeTable "A table over time"
    extends ExternalObject;
    function constructor "reads the table"
      extends Modelica.Icons.Function;
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Modelica.Units.SI.Time startTime;
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      input Modelica.Units.SI.Time shiftTime = 0.0;
      input TimeEvents timeEvents = TimeEvents.Always;
      input Boolean verboseRead = true;
      input String delimiter = ",";
      input Integer nHeaderLines = 0;
      output ExternalCombiTimeTable tableID;
      external "C" tableID = ModelicaStandardTables_CombiTimeTable_init3(fileName, tableName, table, size(table, 1), size(table, 2), startTime, columns, size(columns, 1), smoothness, extrapolation, shiftTime, timeEvents, verboseRead, delimiter, nHeaderLines);
    end constructor;
    function destructor "forgets it"
      extends Modelica.Icons.Function;
      input ExternalCombiTimeTable tableID;
      external "C" ModelicaStandardTables_CombiTimeTable_close(tableID);
    end destructor;
  end ExternalCombiTimeTable;

  class ExternalCombiTable1D "A table of one variable"
    extends ExternalObject;
    function constructor "reads the table"
      extends Modelica.Icons.Function;
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation = Extrapolation.LastTwoPoints;
      input Boolean verboseRead = true;
      input String delimiter = ",";
      input Integer nHeaderLines = 0;
      output ExternalCombiTable1D tableID;
      external "C" tableID = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
    end constructor;
    function destructor "forgets it"
      extends Modelica.Icons.Function;
      input ExternalCombiTable1D tableID;
      external "C" ModelicaStandardTables_CombiTable1D_close(tableID);
    end destructor;
  end ExternalCombiTable1D;

  class ExternalCombiTable2D "A table of two variables"
    extends ExternalObject;
    function constructor "reads the table"
      extends Modelica.Icons.Function;
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Smoothness smoothness;
      input Extrapolation extrapolation = Extrapolation.LastTwoPoints;
      input Boolean verboseRead = true;
      input String delimiter = ",";
      input Integer nHeaderLines = 0;
      output ExternalCombiTable2D tableID;
      external "C" tableID = ModelicaStandardTables_CombiTable2D_init3(fileName, tableName, table, size(table, 1), size(table, 2), smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
    end constructor;
    function destructor "forgets it"
      extends Modelica.Icons.Function;
      input ExternalCombiTable2D tableID;
      external "C" ModelicaStandardTables_CombiTable2D_close(tableID);
    end destructor;
  end ExternalCombiTable2D;
end Types;
