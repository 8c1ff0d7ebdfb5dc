// class: M
model M
  Real x = time;
  annotation(experiment(StopTime = "10", Tolerance = "1e-6", Interval = 0.1));
end M;
//| fail_experiment.mo:4:36: error: `StopTime` is a number, not the text "10" [E398]
//|   4 |   annotation(experiment(StopTime = "10", Tolerance = "1e-6", Interval = 0.1));
//|     |                                    ^~~~
//| fail_experiment.mo:4:54: error: `Tolerance` is a number, not the text "1e-6" [E398]
//|   4 |   annotation(experiment(StopTime = "10", Tolerance = "1e-6", Interval = 0.1));
//|     |                                                      ^~~~~~
