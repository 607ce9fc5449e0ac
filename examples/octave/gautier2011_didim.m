% Gautier et al. 2011, section III: parameters of the TX40 from torques alone. The simulated motion of the same controller takes the place
% of the measured positions, and the iteration starts from rotor inertias only.
[t, q] = waves_of (6);
log = roberval_simulate ('tx40', struct ('t', t, 'q', q), 'rate', 1000, 'bandwidth', [12 12 16 24 24 40], 'save_controller', 'pid.yaml');
torques = struct ('t', log.t, 'tau', log.tau, 'qr', log.qr);
didim = roberval_identify ('tx40', torques, 'method', 'didim', 'controller', 'pid.yaml', 'start', 'regular');
fprintf ('didim: %d iterations, error %.2f %%\n', didim.iterations, 100 * didim.fit_error);
assert (didim.converged && didim.iterations <= 10 && didim.fit_error < 0.01)
true_values = roberval_base_parameters ('tx40').matrix * roberval_robot ('tx40').values;
strong = abs (true_values) > 1;           % masses, inertias and friction of the first joints
assert (max (abs (didim.values(strong) ./ true_values(strong) - 1)) < 0.02)
