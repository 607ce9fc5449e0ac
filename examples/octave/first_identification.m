% A robot file and a recording: parameters, how sure they are, and a verdict.
%   addpath /path/to/build/octave
t = (0:1999)' / 200;
s = min (1, t) .^ 3 .* (10 - 15 * min (1, t) + 6 * min (1, t) .^ 2);      % the motion begins at rest
motion.t = t;
motion.q = [0.9 * s .* (sin (1.1 * t) + 0.5 * sin (2.7 * t + 1)), 0.7 * s .* (cos (1.6 * t) + 0.4 * sin (3.9 * t))];

% a simulation makes the recording, of a robot that is not what its file says
log = roberval_simulate ('two_link.urdf', motion, 'parameters', 'two_link_true.yaml', 'torque_noise', 0.1, 'encoder', 65536);
result = roberval_identify ('two_link.urdf', log, 'consistent', true);
disp (result.verdict)
for i = 1:numel (result.names)
  fprintf ('%-6s %10.4f +- %-8.2g %s\n', result.names{i}, result.values(i), result.sigma(i), result.units{i});
end
fprintf ('error of the torque: %.2f %%\n', 100 * result.error);
assert (~strcmp (result.verdict, 'do not use'))
friction = result.values(strcmp (result.names, 'Fv1'));
assert (abs (friction - 1.4) < 0.05)      % the true value of two_link_true.yaml, and 5 times its sigma
