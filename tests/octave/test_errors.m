% Wrong input gives an error of the language with the sentence of the library, and never ends Octave.
1;
function refused (id, f)
  failed = true;
  try
    f ();
    failed = false;
  catch e
    assert (strcmp (e.identifier, ['roberval:' id]), [func2str(f) ': ' e.identifier ' ' e.message]);
    assert (numel (e.message) > 10 && ~any (e.message == 10));
  end
  assert (failed, [func2str(f) ' was not refused']);
end

q = zeros (3, 6);
refused ('EARG', @() roberval_mex ());
refused ('EARG', @() roberval_mex ('no such command'));
refused ('EARG', @() roberval_mex (1));
refused ('EARG', @() roberval_mex ('identify', 'tx40'));
refused ('EREAD', @() roberval_identify ('no.urdf', 'log.csv'));
refused ('EREAD', @() roberval_identify ('tx40', 'no.csv'));
refused ('EARG', @() roberval_identify (7, 'log.csv'));
refused ('EARG', @() roberval_identify (['ab'; 'cd'], 'log.csv'));
refused ('EARG', @() roberval_identify (["tx40" "\0" "x"], 'log.csv'));
refused ('EARG', @() roberval_identify ('tx40', 7));
refused ('EARG', @() roberval_identify ('tx40', {{}}));
refused ('EARG', @() roberval_identify ('tx40', struct ('q', q)));
refused ('EDIM', @() roberval_identify ('tx40', struct ('t', (1:3)', 'q', q(1:2, :))));
refused ('EARG', @() roberval_identify ('tx40', struct ('t', (1:3)', 'q', {q, q})));
refused ('EARG', @() roberval_identify ('tx40', struct ('t', (1:3)', 'q', single (q))));
refused ('EARG', @() roberval_identify ('tx40', struct ('t', (1:3)', 'q', 1i + q)));
refused ('EOPTION', @() roberval_identify ('tx40', 'log.csv', 'no_such_option', 1));
refused ('EOPTION', @() roberval_identify ('tx40', 'log.csv', 'method'));
refused ('EOPTION', @() roberval_identify ('tx40', 'log.csv', 'method', @sin));
refused ('EOPTION', @() roberval_identify ('tx40', 'log.csv', 'method', {}));
refused ('EOPTION', @() roberval_identify ('tx40', 'log.csv', 'method', 'no such method'));
refused ('EWRITE', @() roberval_identify ('tx40', 'log.csv', 'friction', 'plain', 'output', '/no/such/folder/r.json'));
refused ('EARG', @() roberval_task ('no such task', {}));
refused ('EOPTION', @() roberval_task ('check', {'tx40'}));
refused ('EARG', @() roberval_options ('no such task'));
refused ('EDIM', @() roberval_inverse_dynamics ('tx40', q(:, 1:5), q, q));
refused ('EDIM', @() roberval_inverse_dynamics ('tx40', q, q(1:2, :), q));
refused ('EDIM', @() roberval_inverse_dynamics ('tx40', q, q, q, 1:3));
refused ('EARG', @() roberval_regressor ('tx40', q, q, sparse (q)));
refused ('EARG', @() roberval_regressor ('tx40', q, q, zeros (3, 6, 2)));
refused ('EREAD', @() roberval_recording ('no.csv'));

% chance: any command with any values
rand ('seed', 1);
commands = {'identify', 'task', 'options', 'robot', 'base_parameters', 'inverse_dynamics', 'forward_dynamics', 'mass_matrix', 'regressor', ...
            'recording', 'version'};
file = fopen ('short.csv', 'w');
fprintf (file, 't,q1,q2,tau1,tau2\n');
fprintf (file, '%g,%g,%g,%g,%g\n', rand (5, 30));
fclose (file);
values = {'tx40', 'two_link.urdf', 'short.csv', '', 'check', 'method', 'identify', [], q, q', NaN, Inf, -1, 1:6, single(1), int8([1 2]), true, ...
          [true false], {}, {1, 'x'}, {[]}, struct(), struct('t', (1:30)', 'q', rand (30, 2), 'tau', rand (30, 2)), struct('t', NaN, 'q', NaN), ...
          struct('t', {}), struct('method', 'ols'), struct('method', {{}}), @sin, 1i, sparse(1), zeros(0, 6), zeros(2, 3, 4), ...
          char(zeros(1, 4)), repmat('x', 1, 5000), ['ab'; 'cd'], {{'tx40'}}, {'two_link.urdf', 'short.csv'}, 1e308, '../x', "\n"};
answered = 0;
for k = 1:3000
  given = values(ceil (numel (values) * rand (1, floor (6 * rand ()))));
  try
    roberval_mex (commands{ceil (numel (commands) * rand ())}, given{:});
    answered = answered + 1;
  catch e
    assert (strncmp (e.identifier, 'roberval:', 9), [e.identifier ': ' e.message]);
  end
end
assert (answered > 50);
printf ('%d of 3000 random calls had an answer\n', answered);
printf ("tested to the end\n");
