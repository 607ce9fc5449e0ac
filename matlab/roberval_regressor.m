function W = roberval_regressor (robot, q, dq, ddq, varargin)
% ROBERVAL_REGRESSOR  Regressor of a motion: torques = W * parameters.
%
%   W = roberval_regressor ('tx40', q, dq, ddq);
%   tau = W * roberval_robot ('tx40').values;         % samples one below the other
%   tau = reshape (tau, [], size (q, 1))';
%
% q, dq, ddq  a row per sample, a column per joint [rad or m, N m or N]
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
%
% W  (samples x torque rows) x parameters: all rows of the first sample, then those of the second
  W = roberval_call_ ('regressor', robot, q, dq, ddq, varargin{:});
end
