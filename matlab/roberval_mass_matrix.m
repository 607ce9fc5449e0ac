function M = roberval_mass_matrix (robot, q, parameters, varargin)
% ROBERVAL_MASS_MATRIX  Mass matrices with rotors, joints x joints x samples.
%
%   M = roberval_mass_matrix ('tx40', q)
%
% q            a row per sample, a column per joint [rad or m]
% parameters   values of all parameters (roberval_robot (robot).names); []: those of the robot file
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
  if nargin < 3
    parameters = [];
  end
  M = roberval_call_ ('mass_matrix', robot, q, parameters, varargin{:});
end
