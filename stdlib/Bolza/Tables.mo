within Bolza;
package Tables "Functions that are given by numbers, with exact derivatives: for simulation and optimisation"

  type Kind = enumeration(
      linear "straight lines: kinks at the points",
      akima "Akima's splines: smooth, and not disturbed by what is far away",
      monotone "PCHIP: smooth, rising where the points rise",
      cubic "natural cubic spline: curvature is continuous") "How a table is interpolated";

  type Beyond = enumeration(
      hold "the value at the end",
      straight "along the tangent at the end") "What a table is beyond its points";

  block Table "y = f(u) through the rows (u, y) of a table"
    input Real u "first column";
    output Real y "another column";
    parameter String fileName = "" "CSV file with the table when `data` is not given; it lies next to the model";
    parameter Real data[:, :] = Internal.readTable(fileName) "first column: values of u, ascending";
    parameter Integer column(min = 2) = 2 "column of y";
    parameter Kind kind = Kind.akima "interpolation";
    parameter Beyond beyond = Beyond.straight "extrapolation";
  protected
    parameter Internal.ExternalCombiTable1D table = Internal.ExternalCombiTable1D("NoName", "NoName", data, {column}, Internal.codes[Integer(kind)], Integer(beyond));
  equation
    y = Internal.value(table, 1, u);
  end Table;

  block Table2D "y = f(u1, u2): the first column has values of u1, the first row those of u2"
    input Real u1 "first column";
    input Real u2 "first row";
    output Real y "the rest";
    parameter String fileName = "" "CSV file with the table when `data` is not given; it lies next to the model";
    parameter Real data[:, :] = Internal.readTable(fileName) "first column and first row ascending; the number in the corner says nothing";
    parameter Kind kind = Kind.akima "interpolation: linear or akima";
    parameter Beyond beyond = Beyond.straight "extrapolation";
  protected
    parameter Internal.ExternalCombiTable2D table = Internal.ExternalCombiTable2D("NoName", "NoName", data, Internal.codes[Integer(kind)], Integer(beyond));
  equation
    y = Internal.value2D(table, u1, u2);
  end Table2D;

  package Internal "What the blocks call: tables as in the Modelica library, with two more interpolations"
    constant Integer codes[4] = {1, 2, 8, 7} "of the kinds";

    function readTable "the numbers of a CSV file, without its heading line"
      input String fileName;
      output Real table[:, :];
      external "builtin" table = readTable(fileName);
    end readTable;

    class ExternalCombiTable1D "A table of one variable"
      extends ExternalObject;
      function constructor "takes the numbers"
        input String tableName;
        input String fileName;
        input Real table[:, :];
        input Integer columns[:];
        input Integer smoothness;
        input Integer extrapolation;
        output ExternalCombiTable1D tableID;
        external "C" tableID = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, false, ",", 0);
      end constructor;
      function destructor "forgets them"
        input ExternalCombiTable1D tableID;
        external "C" ModelicaStandardTables_CombiTable1D_close(tableID);
      end destructor;
    end ExternalCombiTable1D;

    class ExternalCombiTable2D "A table of two variables"
      extends ExternalObject;
      function constructor "takes the numbers"
        input String tableName;
        input String fileName;
        input Real table[:, :];
        input Integer smoothness;
        input Integer extrapolation;
        output ExternalCombiTable2D tableID;
        external "C" tableID = ModelicaStandardTables_CombiTable2D_init3(fileName, tableName, table, size(table, 1), size(table, 2), smoothness, extrapolation, false, ",", 0);
      end constructor;
      function destructor "forgets them"
        input ExternalCombiTable2D tableID;
        external "C" ModelicaStandardTables_CombiTable2D_close(tableID);
      end destructor;
    end ExternalCombiTable2D;

    function value "the value of a column"
      input ExternalCombiTable1D tableID;
      input Integer icol;
      input Real u;
      output Real y;
      external "C" y = ModelicaStandardTables_CombiTable1D_getValue(tableID, icol, u);
      annotation(derivative = rate);
    end value;

    function rate "its derivative by time"
      input ExternalCombiTable1D tableID;
      input Integer icol;
      input Real u;
      input Real der_u;
      output Real der_y;
      external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(tableID, icol, u, der_u);
      annotation(derivative(order = 2) = acceleration);
    end rate;

    function acceleration "its second derivative by time"
      input ExternalCombiTable1D tableID;
      input Integer icol;
      input Real u;
      input Real der_u;
      input Real der2_u;
      output Real der2_y;
      external "C" der2_y = ModelicaStandardTables_CombiTable1D_getDer2Value(tableID, icol, u, der_u, der2_u);
    end acceleration;

    function value2D "the value"
      input ExternalCombiTable2D tableID;
      input Real u1;
      input Real u2;
      output Real y;
      external "C" y = ModelicaStandardTables_CombiTable2D_getValue(tableID, u1, u2);
      annotation(derivative = rate2D);
    end value2D;

    function rate2D "its derivative by time"
      input ExternalCombiTable2D tableID;
      input Real u1;
      input Real u2;
      input Real der_u1;
      input Real der_u2;
      output Real der_y;
      external "C" der_y = ModelicaStandardTables_CombiTable2D_getDerValue(tableID, u1, u2, der_u1, der_u2);
      annotation(derivative(order = 2) = acceleration2D);
    end rate2D;

    function acceleration2D "its second derivative by time"
      input ExternalCombiTable2D tableID;
      input Real u1;
      input Real u2;
      input Real der_u1;
      input Real der_u2;
      input Real der2_u1;
      input Real der2_u2;
      output Real der2_y;
      external "C" der2_y = ModelicaStandardTables_CombiTable2D_getDer2Value(tableID, u1, u2, der_u1, der_u2, der2_u1, der2_u2);
    end acceleration2D;
  end Internal;
end Tables;
