function text = tool_ (command, codes)
% The output of a command of the tool, whose exit code is 0 (or one of codes).
  [code, text] = system (['roberval ' command]);
  if nargin < 2
    codes = 0;
  end
  assert (any (code == codes), [command ': ' text]);
end
