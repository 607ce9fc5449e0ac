function model = roberval_robot (robot, varargin)
% ROBERVAL_ROBOT  What a robot file says.
%
%   model = roberval_robot ('tx40')
%
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
% roberval_options ('identify') lists them: those of the robot.
%
% model.joints, prismatic, lower, upper, velocity, effort   joints and their limits (Inf: not known)
% model.names, units, values                                 all parameters, the columns of the regressor (NaN: no value)
  model = roberval_call_ ('robot', robot, varargin{:});
end
