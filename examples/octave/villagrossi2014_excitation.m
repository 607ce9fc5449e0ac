% Villagrossi et al. 2014: a motion for the COMAU NS16 that excites its parameters, and repeated executions, whose estimates are averaged.
design = roberval_task ('excite', 'ns16', 'criterion', 'det', 'period', 10, 'starts', 1, 'budget', 0, 'harmonics', 3, 'velocity', 2, ...
                        'acceleration', 8, 'tool_speed', 10, 'output', 'motion.csv');
disp (design.data.schema)
for i = 1:3
  log = roberval_simulate ('ns16', 'motion.csv', 'rate', 1000, 'encoder', 65536, 'torque_noise', '1%', 'seed', i);
  run = roberval_identify ('ns16', log, 'friction', 'plain', 'output', sprintf ('run%d.json', i));
  values(:, i) = run.values; %#ok<SAGROW>
end
fprintf ('%d base parameters; median scatter of 3 executions %.2g, median sigma %.2g\n', numel (run.names), median (std (values, 0, 2)), ...
         median (run.sigma));
assert (numel (run.names), 58)             % as in the paper
average = roberval_task ('compare', {'run1.json', 'run2.json', 'run3.json'}, 'no_logs', true, 'output', 'mean.json');
assert (numel (average.data.parameters), 58)
