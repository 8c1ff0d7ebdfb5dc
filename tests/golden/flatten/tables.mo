// class: M
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
block Table
  parameter Real table[:, :];
  parameter ExternalCombiTable1D id = ExternalCombiTable1D("NoName", "NoName", table, {2}, 1);
  Real u, y;
  parameter Real y0 = value(id, 1, 0);
equation
  y = value(id, 1, u);
end Table;
model M
  Table same[2](each table = [0, 1; 1, 3; 2, 2]);
  Table other[2](table = {[0, 1; 1, 3; 2, 2], [0, 2; 1, 5; 2, 8]});
equation
  same.u = {time, 2*time};
  other.u = {time, 3*time};
end M;
