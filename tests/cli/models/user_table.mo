// Tables that a C function `usertab` of the model gives, as the Modelica library lets users link them to a simulator.
package UserTable
  class ExternalCombiTable1D
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Integer columns[:];
      input Integer smoothness;
      output ExternalCombiTable1D id;
      external "C" id = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table);
    end constructor;
  end ExternalCombiTable1D;
  function value
    input ExternalCombiTable1D id;
    input Integer column;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(id, column, u);
  end value;
  partial model Tables
    parameter String name = "squares";
    parameter ExternalCombiTable1D table = ExternalCombiTable1D(name, "NoName", fill(0.0, 0, 2), {2, 3}, 1);
    Real y[2] = {value(table, k, time) for k in 1:2};
  end Tables;
  model Given "squares and cubes of 0, 1, 2, row by row or column by column"
    extends Tables;
  protected
    function brings "the text, which need not be called"
      input Real x;
      output Real y;
      external "C" y = same(x) annotation(Include = "
#include <string.h>
#include \"ModelicaUtilities.h\"
static double rows[] = {0, 0, 0, 1, 1, 1, 2, 4, 8};
static double columns[] = {0, 1, 2, 0, 1, 4, 0, 1, 8};
int usertab(char* name, int kind, int sizes[], int* by_columns, double** table) {
  *by_columns = strcmp(name, \"columns\") == 0;
  if (strcmp(name, \"squares\") && !*by_columns) ModelicaFormatError(\"no table %s of kind %d\", name, kind);
  sizes[0] = 3, sizes[1] = 3;
  *table = *by_columns ? columns : rows;
  return 0;
}
double same(double x) { return x; }
");
    end brings;
  end Given;
  model Missing
    extends Tables;
  end Missing;
end UserTable;
