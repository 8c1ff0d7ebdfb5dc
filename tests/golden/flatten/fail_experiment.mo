// class: M
model M
  Real x = time;
  annotation(experiment(StartTime = true, StopTime = "10", Tolerance = "1e-6", Interval = {0.1}));
end M;
//| fail_experiment.mo:4:37: error: `StartTime` is a number, not a Boolean [E398]
//|   4 |   annotation(experiment(StartTime = true, StopTime = "10", Tolerance = "1e-6", Interval = {0.1}));
//|     |                                     ^~~~
//| fail_experiment.mo:4:54: error: `StopTime` is a number, not the text "10" [E398]
//|   4 |   annotation(experiment(StartTime = true, StopTime = "10", Tolerance = "1e-6", Interval = {0.1}));
//|     |                                                      ^~~~
//| fail_experiment.mo:4:72: error: `Tolerance` is a number, not the text "1e-6" [E398]
//|   4 |   annotation(experiment(StartTime = true, StopTime = "10", Tolerance = "1e-6", Interval = {0.1}));
//|     |                                                                        ^~~~~~
//| fail_experiment.mo:4:92: error: `Interval` is a number, not an array [E398]
//|   4 |   annotation(experiment(StartTime = true, StopTime = "10", Tolerance = "1e-6", Interval = {0.1}));
//|     |                                                                                            ^~~
