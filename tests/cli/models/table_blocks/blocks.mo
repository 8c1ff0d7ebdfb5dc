package Blocks "tables without the Modelica library, and those of Bolza"
  model Library
    Modelica.Blocks.Tables.CombiTable1Ds akima(table = [0, 0, 5; 1, 1, 4; 2, 4, 1], smoothness = Modelica.Blocks.Types.Smoothness.ContinuousDerivative);
    Modelica.Blocks.Tables.CombiTable1Ds held(table = [0, 1; 1, 3], extrapolation = Modelica.Blocks.Types.Extrapolation.HoldLastPoint);
    Modelica.Blocks.Tables.CombiTable1Ds file(tableOnFile = true, fileName = "points.csv", nHeaderLines = 1);
    Modelica.Blocks.Tables.CombiTable1Dv vector(table = [0, 0, 5; 1, 1, 4; 2, 4, 1]);
    Modelica.Blocks.Tables.CombiTable2Ds plane(table = [0, 0, 1; 0, 0, 1; 2, 2, 3]);
    Modelica.Blocks.Sources.CombiTimeTable saw(table = [0, 0; 1, 1; 1, 3; 2, 4], extrapolation = Modelica.Blocks.Types.Extrapolation.Periodic, offset = {10});
    Modelica.Blocks.Sources.CombiTimeTable minutes(table = [0, 0; 1, 60], timeScale = 60);
    Real area(start = 0, fixed = true) "of the saw";
    Real jumps(start = 0, fixed = true);
    Real ends = akima.u_max - akima.u_min;
  equation
    akima.u = 2*time;
    held.u = 2*time;
    file.u = 3*time;
    vector.u = {time, 2*time};
    plane.u1 = 2*time;
    plane.u2 = time;
    der(area) = saw.y[1] - 10;
    der(jumps) = 0;
    when time >= 1 then
      reinit(jumps, saw.y[1]);
    end when;
  end Library;

  model Kinds
    constant Real points[:, :] = [0, 0; 1, 1; 3, 2; 4, 8];
    Bolza.Tables.Table linear(data = points, kind = Bolza.Tables.Kind.linear);
    Bolza.Tables.Table akima(data = points);
    Bolza.Tables.Table monotone(data = points, kind = Bolza.Tables.Kind.monotone);
    Bolza.Tables.Table cubic(data = points, kind = Bolza.Tables.Kind.cubic);
    Bolza.Tables.Table held(data = points, kind = Bolza.Tables.Kind.cubic, beyond = Bolza.Tables.Beyond.hold);
    Bolza.Tables.Table file(fileName = "points.csv", kind = Bolza.Tables.Kind.cubic);
    Bolza.Tables.Table2D plane(data = [0, 0, 1, 2; 0, 0, 1, 2; 1, 1, 2, 3; 2, 4, 5, 6]);
    Real u(start = 0, fixed = true), slope = der(cubic.y), curvature = der(slope);
  equation
    der(u) = 5;
    linear.u = u;
    akima.u = u;
    monotone.u = u;
    cubic.u = u;
    held.u = u;
    file.u = u;
    plane.u1 = 2*time;
    plane.u2 = time;
  end Kinds;

  model Falling "points that do not ascend"
    Bolza.Tables.Table t(data = [0, 0; 2, 1; 1, 3]);
  equation
    t.u = time;
  end Falling;
end Blocks;
