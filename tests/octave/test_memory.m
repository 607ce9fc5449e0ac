% 1,000 identifications, and errors among them, leave nothing behind.
1;
function kilobytes = resident ()
  words = regexp (fileread ('/proc/self/status'), 'VmRSS:\s+(\d+)', 'tokens');
  kilobytes = str2double (words{1}{1});
end

function once (log, errors)
  r = roberval_identify ('two_link.urdf', log, 'friction', 'plain', 'method', 'ols', 'cutoff', 20);
  if ~errors
    return
  end
  try
    roberval_identify ('two_link.urdf', log, 'no_such_option', 1);
  catch
  end
  try
    roberval_identify ('two_link.urdf', struct ('t', log.t));
  catch
  end
end

t = (0:149)' / 100;
q = [sin(2 * t), cos(3 * t)];
log = struct ('t', t, 'q', q, 'tau', 3 * [sin(2 * t + 1), cos(3 * t + 1)]);
for k = 1:50
  once (log, true);
end
before = resident ();
for k = 1:1000
  once (log, mod (k, 5) == 0);
end
grown = resident () - before;
% a lost copy of the recording alone would be 1000 x 6 kB
printf ('%d kB more after 1000 identifications\n', grown);
assert (grown < 2000);
printf ("tested to the end\n");
