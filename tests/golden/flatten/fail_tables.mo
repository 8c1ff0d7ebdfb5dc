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
class Other
  extends ExternalObject;
  function constructor
    output Other id;
    external "C" id = make();
  end constructor;
end Other;
function value
  input ExternalCombiTable1D id;
  input Integer column;
  input Real u;
  output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(id, column, u);
end value;
model M
  parameter Real p[:, :] = [0, 1; 0, 2];
  parameter ExternalCombiTable1D a = ExternalCombiTable1D("NoName", "NoName", p, {2}, 1);
  parameter ExternalCombiTable1D b = ExternalCombiTable1D("NoName", "NoName", [0, 1; 1, 2], {3}, 1);
  parameter ExternalCombiTable1D c = ExternalCombiTable1D("tab1", "nowhere.txt", [0, 1; 1, 2], {2}, 1);
  parameter ExternalCombiTable1D d = ExternalCombiTable1D("NoName", "NoName", [0, 1; 1, 2], {2}, 1);
  parameter Other o = Other();
  parameter ExternalCombiTable1D e = ExternalCombiTable1D("tab1", "NoName", fill(0.0, 0, 2), {2}, 1);
  Real y[6];
equation
  y[1] = value(a, 1, time);
  y[2] = value(b, 1, time);
  y[3] = value(c, 1, time);
  y[4] = value(d, 2, time);
  y[5] = value(e, 1, time);
  y[6] = value(e, 1, time + 1);
end M;
//| fail_tables.mo:30:34: error: the table `a` cannot be used: the abscissa in row 2 is not greater than the one before [E380]
//|   30 |   parameter ExternalCombiTable1D a = ExternalCombiTable1D("NoName", "NoName", p, {2}, 1);
//|      |                                  ^
//| fail_tables.mo:31:34: error: the table `b` cannot be used: it has 2 columns, column 3 is wanted [E380]
//|   31 |   parameter ExternalCombiTable1D b = ExternalCombiTable1D("NoName", "NoName", [0, 1; 1, 2], {3}, 1);
//|      |                                  ^
//| fail_tables.mo:32:34: error: the table `c` cannot be used: there is no file `nowhere.txt` [E380]
//|   32 |   parameter ExternalCombiTable1D c = ExternalCombiTable1D("tab1", "nowhere.txt", [0, 1; 1, 2], {2}, 1);
//|      |                                  ^
//| fail_tables.mo:41:10: error: subscript 2 is outside dimension 1, which has 1 elements [E306]
//|   41 |   y[4] = value(d, 2, time);
//|      |          ^~~~~~~~~~~~~~~~~
//| fail_tables.mo:35:34: error: the table `e` cannot be used: `tab1` is in no file, and no external function in the class of the model has a C function `usertab` in its `Include`: give `fileName`, or the numbers in `table` [E380]
//|   35 |   parameter ExternalCombiTable1D e = ExternalCombiTable1D("tab1", "NoName", fill(0.0, 0, 2), {2}, 1);
//|      |                                  ^
