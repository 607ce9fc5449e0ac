function [t, q] = waves_of (joints)
% WAVES_OF  The motion of waves.awk: 10 s of four sines per joint, 500 Hz. All frequencies are different.
  t = (0:4999)' / 500;
  q = zeros (numel (t), joints);
  for j = 1:joints
    for s = 1:4
      w = 2 * pi * (0.11 + 0.31 * (s - 1) + 0.043 * j);
      q(:, j) = q(:, j) + 0.9 / s * sin (w * t + 1.7 * s * j);
    end
  end
end
