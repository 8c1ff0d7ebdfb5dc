within Modelica.Units;
package Conversions "From other units to those of the International System and back"
  extends Modelica.Icons.Package;

  function from_degC "to K"
    extends Modelica.Icons.Function;
    input NonSI.Temperature_degC v;
    output SI.Temperature si;
  algorithm
    si := v + 273.15;
    annotation(Inline = true, smoothOrder = 100);
  end from_degC;

  function to_degC "from K"
    extends Modelica.Icons.Function;
    input SI.Temperature v;
    output NonSI.Temperature_degC y;
  algorithm
    y := v - 273.15;
    annotation(Inline = true, smoothOrder = 100);
  end to_degC;

  function from_degF "to K"
    extends Modelica.Icons.Function;
    input NonSI.Temperature_degF v;
    output SI.Temperature si;
  algorithm
    si := (v - 32)*5/9 + 273.15;
    annotation(Inline = true, smoothOrder = 100);
  end from_degF;

  function to_degF "from K"
    extends Modelica.Icons.Function;
    input SI.Temperature v;
    output NonSI.Temperature_degF y;
  algorithm
    y := (v - 273.15)*9/5 + 32;
    annotation(Inline = true, smoothOrder = 100);
  end to_degF;

  function from_degRk "to K"
    extends Modelica.Icons.Function;
    input NonSI.Temperature_degRk v;
    output SI.Temperature si;
  algorithm
    si := v*5/9;
    annotation(Inline = true, smoothOrder = 100);
  end from_degRk;

  function to_degRk "from K"
    extends Modelica.Icons.Function;
    input SI.Temperature v;
    output NonSI.Temperature_degRk y;
  algorithm
    y := v*9/5;
    annotation(Inline = true, smoothOrder = 100);
  end to_degRk;

  function from_deg "to rad"
    extends Modelica.Icons.Function;
    input NonSI.Angle_deg v;
    output SI.Angle si;
  algorithm
    si := v*3.141592653589793/180;
    annotation(Inline = true, smoothOrder = 100);
  end from_deg;

  function to_deg "from rad"
    extends Modelica.Icons.Function;
    input SI.Angle v;
    output NonSI.Angle_deg y;
  algorithm
    y := v*180/3.141592653589793;
    annotation(Inline = true, smoothOrder = 100);
  end to_deg;

  function from_rpm "to rad/s"
    extends Modelica.Icons.Function;
    input NonSI.AngularVelocity_rpm v;
    output SI.AngularVelocity si;
  algorithm
    si := v*3.141592653589793/30;
    annotation(Inline = true, smoothOrder = 100);
  end from_rpm;

  function to_rpm "from rad/s"
    extends Modelica.Icons.Function;
    input SI.AngularVelocity v;
    output NonSI.AngularVelocity_rpm y;
  algorithm
    y := v*30/3.141592653589793;
    annotation(Inline = true, smoothOrder = 100);
  end to_rpm;

  function from_kmh "to m/s"
    extends Modelica.Icons.Function;
    input NonSI.Velocity_kmh v;
    output SI.Velocity si;
  algorithm
    si := v/3.6;
    annotation(Inline = true, smoothOrder = 100);
  end from_kmh;

  function to_kmh "from m/s"
    extends Modelica.Icons.Function;
    input SI.Velocity v;
    output NonSI.Velocity_kmh y;
  algorithm
    y := v*3.6;
    annotation(Inline = true, smoothOrder = 100);
  end to_kmh;

  function from_day "to s"
    extends Modelica.Icons.Function;
    input NonSI.Time_day v;
    output SI.Time si;
  algorithm
    si := v*86400;
    annotation(Inline = true, smoothOrder = 100);
  end from_day;

  function to_day "from s"
    extends Modelica.Icons.Function;
    input SI.Time v;
    output NonSI.Time_day y;
  algorithm
    y := v/86400;
    annotation(Inline = true, smoothOrder = 100);
  end to_day;

  function from_hour "to s"
    extends Modelica.Icons.Function;
    input NonSI.Time_hour v;
    output SI.Time si;
  algorithm
    si := v*3600;
    annotation(Inline = true, smoothOrder = 100);
  end from_hour;

  function to_hour "from s"
    extends Modelica.Icons.Function;
    input SI.Time v;
    output NonSI.Time_hour y;
  algorithm
    y := v/3600;
    annotation(Inline = true, smoothOrder = 100);
  end to_hour;

  function from_minute "to s"
    extends Modelica.Icons.Function;
    input NonSI.Time_minute v;
    output SI.Time si;
  algorithm
    si := v*60;
    annotation(Inline = true, smoothOrder = 100);
  end from_minute;

  function to_minute "from s"
    extends Modelica.Icons.Function;
    input SI.Time v;
    output NonSI.Time_minute y;
  algorithm
    y := v/60;
    annotation(Inline = true, smoothOrder = 100);
  end to_minute;

  function from_litre "to m3"
    extends Modelica.Icons.Function;
    input NonSI.Volume_litre v;
    output SI.Volume si;
  algorithm
    si := v/1000;
    annotation(Inline = true, smoothOrder = 100);
  end from_litre;

  function to_litre "from m3"
    extends Modelica.Icons.Function;
    input SI.Volume v;
    output NonSI.Volume_litre y;
  algorithm
    y := v*1000;
    annotation(Inline = true, smoothOrder = 100);
  end to_litre;

  function from_Ah "to C"
    extends Modelica.Icons.Function;
    input NonSI.ElectricCharge_Ah v;
    output SI.ElectricCharge si;
  algorithm
    si := v*3600;
    annotation(Inline = true, smoothOrder = 100);
  end from_Ah;

  function to_Ah "from C"
    extends Modelica.Icons.Function;
    input SI.ElectricCharge v;
    output NonSI.ElectricCharge_Ah y;
  algorithm
    y := v/3600;
    annotation(Inline = true, smoothOrder = 100);
  end to_Ah;

  function from_Wh "to J"
    extends Modelica.Icons.Function;
    input NonSI.Energy_Wh v;
    output SI.Energy si;
  algorithm
    si := v*3600;
    annotation(Inline = true, smoothOrder = 100);
  end from_Wh;

  function to_Wh "from J"
    extends Modelica.Icons.Function;
    input SI.Energy v;
    output NonSI.Energy_Wh y;
  algorithm
    y := v/3600;
    annotation(Inline = true, smoothOrder = 100);
  end to_Wh;

  function from_kWh "to J"
    extends Modelica.Icons.Function;
    input NonSI.Energy_kWh v;
    output SI.Energy si;
  algorithm
    si := v*3.6e6;
    annotation(Inline = true, smoothOrder = 100);
  end from_kWh;

  function to_kWh "from J"
    extends Modelica.Icons.Function;
    input SI.Energy v;
    output NonSI.Energy_kWh y;
  algorithm
    y := v/3.6e6;
    annotation(Inline = true, smoothOrder = 100);
  end to_kWh;

  function from_bar "to Pa"
    extends Modelica.Icons.Function;
    input NonSI.Pressure_bar v;
    output SI.Pressure si;
  algorithm
    si := v*1e5;
    annotation(Inline = true, smoothOrder = 100);
  end from_bar;

  function to_bar "from Pa"
    extends Modelica.Icons.Function;
    input SI.Pressure v;
    output NonSI.Pressure_bar y;
  algorithm
    y := v/1e5;
    annotation(Inline = true, smoothOrder = 100);
  end to_bar;

  function from_gps "to kg/s"
    extends Modelica.Icons.Function;
    input NonSI.MassFlowRate_gps v;
    output SI.MassFlowRate si;
  algorithm
    si := v/1000;
    annotation(Inline = true, smoothOrder = 100);
  end from_gps;

  function to_gps "from kg/s"
    extends Modelica.Icons.Function;
    input SI.MassFlowRate v;
    output NonSI.MassFlowRate_gps y;
  algorithm
    y := v*1000;
    annotation(Inline = true, smoothOrder = 100);
  end to_gps;
end Conversions;
