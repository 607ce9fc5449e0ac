function base = roberval_base_parameters (robot, varargin)
% ROBERVAL_BASE_PARAMETERS  Combinations of parameters that determine every torque.
%
%   base = roberval_base_parameters ('tx40');
%   values = base.matrix * roberval_robot ('tx40').values;
%
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
%
% base.names    'ZZ1R' is named after the parameter ZZ1, into which others are regrouped
% base.columns  its column in the regressor
% base.matrix   base parameters = matrix * parameters
% base.parameters   names of all parameters
  base = roberval_call_ ('base_parameters', robot, varargin{:});
end
