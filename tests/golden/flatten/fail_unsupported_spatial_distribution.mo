// class: M
model M
  Real a, b;
equation
  (a, b) = spatialDistribution(1, 2, time, true, {0, 1}, {0, 0});
end M;
//| fail_unsupported_spatial_distribution.mo:5:12: error: the operator `spatialDistribution` is not supported yet [E301]
//|   5 |   (a, b) = spatialDistribution(1, 2, time, true, {0, 1}, {0, 0});
//|     |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
