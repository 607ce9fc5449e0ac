function ddq = roberval_forward_dynamics (robot, q, dq, tau, parameters, varargin)
% ROBERVAL_FORWARD_DYNAMICS  Accelerations that torques cause.
%
%   ddq = roberval_forward_dynamics ('tx40', q, dq, tau)
%
% q, dq, tau  a row per sample, a column per joint [rad or m, N m or N]
% parameters   values of all parameters (roberval_robot (robot).names); []: those of the robot file
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
  if nargin < 5
    parameters = [];
  end
  ddq = roberval_call_ ('forward_dynamics', robot, q, dq, tau, parameters, varargin{:});
end
