// class: Plant
model Tank
  parameter Real area = 1;
  Real level(start = 0, min = 0), inflow;
  Real layer[2](each nominal = 5);
equation
  area*der(level) = inflow;
  layer = {level, 2*level};
end Tank;
model Plant
  Tank tank[3](each area = 2, level(start = {1, 2, 3}), inflow = {time, 0, q[2]});
  parameter Real q[2] = {4, 5};
  Real upper = sum(tank.level) + tank[2].layer[1] + tank[end].layer[end];
end Plant;
//| model Plant
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real tank[3].area(fixed = true) = 2;
//|   Real tank[3].level(start = {1, 2, 3}, min = 0);
//|   Real tank[3].inflow;
//|   Real tank[3].layer[2](nominal = 5);
//|   parameter Real q[2](fixed = true) = {4, 5};
//|   Real upper;
//| equation
//|   tank[1].inflow = time;
//|   0 = tank[2].inflow;
//|   tank[3].inflow = q[2];
//|   upper = tank[3].layer[2] + (tank[2].layer[1] + (tank[3].level + (tank[1].level + tank[2].level)));
//|   tank[1].area*der(tank[1].level) = tank[1].inflow;
//|   tank[2].area*der(tank[2].level) = tank[2].inflow;
//|   tank[3].area*der(tank[3].level) = tank[3].inflow;
//|   tank[1].layer[1] = tank[1].level;
//|   tank[1].layer[2] = tank[1].level*2;
//|   tank[2].layer[2] = tank[2].level*2;
//|   tank[3].layer[2] = tank[3].level*2;
//|   // 2 more like `tank[1].inflow = time`
//| end Plant;
