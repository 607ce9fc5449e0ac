function [recording, info] = roberval_simulate (robot, motion, varargin)
% ROBERVAL_SIMULATE  Simulate a robot in its closed loop along a motion.
%
%   [recording, info] = roberval_simulate ('tx40', motion, 'torque_noise', 0.1, 'seed', 2)
%
% motion  a path, or a structure with t and q (see roberval_recording)
%
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
% roberval_options ('simulate') lists them.
%
% recording  a structure, see roberval_recording
% info       what was simulated; info.diverged
  file = [tempname() '.csv'];
  clean = onCleanup (@() roberval_delete_ (file));
  if isstruct (motion)
    path = [tempname() '.csv'];
    clean_motion = onCleanup (@() roberval_delete_ (path));
    roberval_call_ ('save', motion, path);
    motion = path;
  end
  found = roberval_call_ ('task', 'simulate', {robot, motion}, varargin{:}, 'output', file);
  info = found.data;
  recording = roberval_call_ ('recording', file);
end
