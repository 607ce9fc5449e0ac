% What the functions give is what the tool gives, to the last digit.
1;
function same_as_tool (robot, log, options, varargin)
  tool_ (['identify ' robot ' ' log ' -q -o tool.json ' options], [0 1]);
  r = roberval_identify (robot, log, varargin{:});
  assert (strcmp (r.json, fileread ('tool.json')), ['not the result of the tool: ' options]);
  % read as text: jsondecode of Octave rounds the last digit
  parts = regexp (r.json, '"name": "([^"]*)",\s*"value": ([-+.0-9e]+)', 'tokens');
  parts = parts(1:numel (r.names));
  name = cellfun (@(x) x{1}, parts, 'UniformOutput', false)';
  value = cellfun (@(x) sscanf (x{2}, '%f'), parts)';
  assert (isequal (r.values, value));
  assert (isequal (r.names, name));
  assert (numel (r.sigma), numel (r.names));
  assert (~isempty (regexp (r.json, ['"verdict": {\s*"level": "' r.verdict '"'])));
end

same_as_tool ('tx40', 'log.csv', '');
same_as_tool ('tx40', 'log.csv', '--friction plain --method ols', 'friction', 'plain', 'method', 'ols');
same_as_tool ('tx40', 'log.csv', '--friction plain --consistent --holdout 0.25', struct ('friction', 'plain', 'consistent', true), 'holdout', 0.25);
same_as_tool ('tx40', 'log.csv', '--friction plain --weights 1,2,3,4,5,6', 'friction', 'plain', 'weights', 1:6);

% a recording in memory, and several
log = roberval_recording ('log.csv');
r = roberval_identify ('tx40', 'log.csv', 'friction', 'plain');
memory = roberval_identify ('tx40', log, 'friction', 'plain');
assert (isequal (memory.values, r.values) && isequal (memory.sigma, r.sigma));
two = roberval_identify ('tx40', {log, 'log.csv'}, 'friction', 'plain', 'validate', log);
assert (two.validation_error < 0.01 && isnan (r.validation_error));

% the same fields for all data: here parameters that the data do not know, standard ones, no reasons to be usable
other = roberval_identify ('two_link.urdf', struct ('t', log.t(1:400), 'q', 0.2 * log.q(1:400, 1:2), 'tau', log.tau(1:400, 1:2)), 'consistent', true);
assert (shape_ (other, 'result'), shape_ (r, 'result'));
assert (numel (other.sigma), numel (other.names));
assert (~isempty (other.standard.names) && isempty (r.standard.names));

% dynamics
robot = roberval_robot ('tx40');
q = log.q(1:50, :);
dq = 0.3 * log.q(101:150, :);
ddq = log.q(201:250, :);
tau = roberval_inverse_dynamics ('tx40', q, dq, ddq);
W = roberval_regressor ('tx40', q, dq, ddq);
assert (size (W), [300, numel(robot.names)]);
assert (reshape (W * robot.values, 6, [])', tau, 1e-11);
base = roberval_base_parameters ('tx40');
assert (numel (base.names), 60);
assert (W(:, base.columns) * (base.matrix * robot.values), W * robot.values, 1e-9);
assert (roberval_forward_dynamics ('tx40', q, dq, tau), ddq, 1e-9);
M = roberval_mass_matrix ('tx40', q);
free = roberval_inverse_dynamics ('tx40', q, 0 * q, 0 * q);
moved = roberval_inverse_dynamics ('tx40', q, 0 * q, ddq);
for k = 1:50
  assert (M(:, :, k) * ddq(k, :)', (moved(k, :) - free(k, :))', 1e-10);
end
twice = roberval_inverse_dynamics ('tx40', q, dq, ddq, 2 * robot.values);
assert (twice, 2 * tau, 1e-10);
motion = [log.t(1:50), q, dq, ddq];
file = fopen ('motion.csv', 'w');
fprintf (file, 't,q1,q2,q3,q4,q5,q6,dq1,dq2,dq3,dq4,dq5,dq6,ddq1,ddq2,ddq3,ddq4,ddq5,ddq6\n');
fprintf (file, [repmat('%.17g,', 1, 18) '%.17g\n'], motion');
fclose (file);
tool_ ('dynamics tx40 motion.csv -o torque.csv');
lines = strsplit (strtrim (fileread ('torque.csv')), "\n");
printed = cellfun (@(line) str2double (strsplit (line, ',')), lines(2:end)', 'UniformOutput', false);
% the tool computes sample by sample, the function several at once: sums of some 100 terms up to 30, 100 * 30 * eps
assert (vertcat (printed{:}), tau, 1e-12);

% simulation and tasks
tool_ ('simulate tx40 log.csv --torque-noise 0.1 --seed 3 -q -o simulated.csv');
[simulated, info] = roberval_simulate ('tx40', 'log.csv', 'torque_noise', 0.1, 'seed', 3);
assert (isequal (simulated, roberval_recording ('simulated.csv')));
assert (info.samples == 5000 && ~info.diverged);
tool_ ('check tx40 log.csv --json > check.json');
found = roberval_task ('check', {'tx40', 'log.csv'});
assert (strtrim (found.json), strtrim (fileread ('check.json')));
assert (found.answer && strcmp (found.data.verdict.level, 'usable'));
list = roberval_options ('simulate');
assert (any (strcmp ({list.name}, 'torque-noise')));
assert (~isempty (strfind (tool_ ('version'), roberval_version ())));
printf ("tested to the end\n");
