function list = roberval_options (kind)
% ROBERVAL_OPTIONS  Options of a command: a structure array with name, kind, help, choices.
%
%   {roberval_options('identify').name}
%
% kind  'identify', 'check', 'simulate', ...; default: 'identify'
  if nargin < 1
    kind = 'identify';
  end
  list = roberval_call_ ('options', kind);
end
