model TankLevels
  model Tank
    Real level(fixed = true);
  equation
    der(level) = -level;
  end Tank;
  Tank tank[3];
end TankLevels;
