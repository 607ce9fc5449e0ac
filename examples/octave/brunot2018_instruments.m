% Brunot et al. 2018, section 5: a coarse encoder biases least squares; instruments of the simulated loop remove the bias, with a controller
% that is given or identified.
[t, q] = waves_of (6);
motion = struct ('t', t, 'q', q);
log = roberval_simulate ('tx40', motion, 'rate', 1000, 'bandwidth', [12 12 16 24 24 40], 'encoder', 3600, 'loop_encoder', 65536, ...
                         'save_controller', 'pid.yaml');
iv = roberval_identify ('tx40', log, 'method', 'iv', 'essential', true, 'controller', 'pid.yaml', 'output', 'iv.json');
piv = roberval_identify ('tx40', log, 'method', 'piv', 'only', 'iv.json', 'differentiate', 'irw', 'controller', 'pid.yaml');
found = roberval_identify ('tx40', log, 'method', 'iv', 'only', 'iv.json', 'controller', 'auto');
fprintf ('%d essential parameters; error of iv %.2f %%, piv %.2f %%, iv with an identified controller %.2f %%\n', numel (iv.names), ...
         100 * iv.fit_error, 100 * piv.fit_error, 100 * found.fit_error);
assert (numel (iv.names), 28)              % 28 of 60 parameters are not zero, as in the paper
assert (isequal (piv.names, iv.names) && isequal (found.names, iv.names))
assert (max (abs (found.values - iv.values) ./ iv.sigma) < 3)
