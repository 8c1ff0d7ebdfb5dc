// class: M
model M
  Real l, r;
equation
  (l, r) = spatialDistribution(1, 2, time, true, {0, 1}, {0, 0, 0});
end M;
//| fail_spatial_distribution.mo:5:58: error: the sizes in this profile at the start differ: [2] and [3] [E302]
//|   5 |   (l, r) = spatialDistribution(1, 2, time, true, {0, 1}, {0, 0, 0});
//|     |                                                          ^~~~~~~~~
