function tau = roberval_inverse_dynamics (robot, q, dq, ddq, parameters, varargin)
% ROBERVAL_INVERSE_DYNAMICS  Torques of the drives for a motion.
%
%   tau = roberval_inverse_dynamics ('tx40', q, dq, ddq)
%
% q, dq, ddq  a row per sample, a column per joint [rad or m, N m or N]
% parameters   values of all parameters (roberval_robot (robot).names); []: those of the robot file
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
  if nargin < 5
    parameters = [];
  end
  tau = roberval_call_ ('inverse_dynamics', robot, q, dq, ddq, parameters, varargin{:});
end
