function recording = roberval_recording (file, map)
% ROBERVAL_RECORDING  Read a recording of any format that the tool reads.
%
%   recording = roberval_recording ('log.csv')
%   recording = roberval_recording ('log.mcap', 'map.yaml')
%
% recording  a structure; a matrix has a row per sample and a column per joint, and no column if there are no such data:
%   t                time stamps [s], n x 1
%   q, dq, ddq       positions, velocities, accelerations [rad or m]
%   tau              torques of the drives, referred to the joints [N m or N]
%   qm, taum, tauj   before the gear; torque sensors of the joints
%   qr, dqr, ddqr    references
%   joints, columns  names
% The functions take such structures where they take recordings: t is needed, the others as they are there.
  if nargin < 2
    map = '';
  end
  recording = roberval_call_ ('recording', file, map);
end
