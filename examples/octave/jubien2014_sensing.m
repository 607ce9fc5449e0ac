% Jubien et al. 2014, table II: the LWR4+ from motor torques, from the sensors in its joints, from both, and from their difference.
[t, q] = waves_of (7);
log = roberval_simulate ('lwr4+', struct ('t', t, 'q', q), 'sensing', 'both', 'torque_noise', '0.5%', 'encoder', 65536);
names = {'motor', 'joint', 'both', 'difference'};
for i = 1:4
  result = roberval_identify ('lwr4+', log, 'sensing', names{i}, 'friction', 'plain', 'output', [names{i} '.json']);
  counts(i) = numel (result.names); %#ok<SAGROW>
  robot = roberval_robot ('lwr4+', 'sensing', names{i});
  fprintf ('%-10s %3d of %3d parameters, error %.2f %%\n', names{i}, counts(i), numel (robot.names), 100 * result.error);
end
assert (counts(3) > counts(1) && counts(3) > counts(2))      % motor and link friction are told apart by both sensors
assert (counts(4) < counts(2))                               % the difference has the drives alone
table = roberval_task ('compare', {'motor.json', 'joint.json', 'both.json'}, 'no_logs', true);
fprintf ('%d parameters disagree\n', table.data.disagreeing);
