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
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real same[2].table[3,2](fixed = true) = {0, 1, 1, …};
//|   Real same[2].u;
//|   Real same[2].y;
//|   parameter Real same[2].y0(fixed = true) = 1;
//|   parameter Real other[2].table[3,2](fixed = true) = {0, 1, 1, …};
//|   Real other[2].u;
//|   Real other[2].y;
//|   parameter Real other[2].y0(fixed = true) = {1, 2};
//| equation
//|   same[1].u = time;
//|   same[2].u = time*2;
//|   other[1].u = time;
//|   other[2].u = time*3;
//|   same[1].y = table(same[1].u);
//|   same[2].y = table(same[2].u);
//|   other[1].y = table(other[1].u);
//|   other[2].y = table(other[2].u);
//| function table(u) -> (y)
//|   array table[3] = {0, 1, 2.0000000000000004}
//|   array table[4] = {0, 0, 1, 2}
//|   array table[4] = {2, 2, -1, -1}
//|   array table[4] = {1, 1, 3, 2}
//|   low := 0;
//|   high := 3;
//|   while low < high loop
//|     middle := floor((low + high)/2);
//|     table := table[middle];
//|     if table <= u then
//|       low := middle + 1;
//|     else
//|       high := middle;
//|     end
//|   end
//|   table := table[low];
//|   table := table[low];
//|   table := table[low];
//|   y := table + table*(u - table);
//| end table;
//| function table(u) -> (y)
//|   array table[3] = {0, 1, 2.0000000000000004}
//|   array table[4] = {0, 0, 1, 2}
//|   array table[4] = {3, 3, 3, 3}
//|   array table[4] = {2, 2, 5, 8}
//|   low := 0;
//|   high := 3;
//|   while low < high loop
//|     middle := floor((low + high)/2);
//|     table := table[middle];
//|     if table <= u then
//|       low := middle + 1;
//|     else
//|       high := middle;
//|     end
//|   end
//|   table := table[low];
//|   table := table[low];
//|   table := table[low];
//|   y := table + table*(u - table);
//| end table;
//| end M;
