% Radkhah et al. 2007, section IV: a periodic motion is repeated, the periods are averaged, and their scatter weighs the torques.
t = (0:9999)' / 500;
q = zeros (numel (t), 6);
for j = 1:6
  for h = 1:5
    q(:, j) = q(:, j) + 0.5 / h * sin (2 * pi * h * t / 4 + 1.7 * h * j);
  end
end
log = roberval_simulate ('tx40', struct ('t', t, 'q', q), 'rate', 1000, 'encoder', 65536, 'torque_noise', '5%');
averaged = roberval_identify ('tx40', log, 'period', 4, 'weights', 'periods');
plain = roberval_identify ('tx40', log);
fprintf ('error: %.2f %% of the periods, %.2f %% of all samples\n', 100 * averaged.error, 100 * plain.error);
true_values = roberval_base_parameters ('tx40').matrix * roberval_robot ('tx40').values;
[~, place] = ismember (averaged.names, roberval_base_parameters ('tx40').names);
distance = abs (averaged.values(place > 0) - true_values(place(place > 0))) ./ averaged.sigma(place > 0);
assert (mean (distance < 3) > 0.9)
