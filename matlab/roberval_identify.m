function result = roberval_identify (robot, recordings, varargin)
% ROBERVAL_IDENTIFY  Estimate the parameters of a robot from recordings.
%
%   result = roberval_identify ('arm.urdf', 'log.csv')
%   result = roberval_identify ('tx40', recording, 'method', 'wls', 'holdout', 0.25)
%
% robot       path of a robot file, or the name of a built-in robot
% recordings  a path, a structure with t, q, tau (see roberval_recording), or a cell of them
%
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
% 'loaded' and 'validate' take recordings: those with the payload, and those to validate on. 'output' is the file for the
% result. roberval_options ('identify') lists the others.
%
% result  a structure that has the same fields for all data:
%   verdict, reasons           'usable', 'with care' or 'do not use'; structure with answer, rule, text
%   names, values, sigma       base parameters and their standard deviations (Inf: unknown), n x 1
%   sigma_white, units, status, meaning
%   error                      relative error of the torque up to 5 Hz, on data that were not used where there are such
%   fit_error, validation_error, condition, sigma_inflation, converged, iterations, method, robot
%   standard                   standard parameters of consistent bodies: names, values, sigma, known, units
%   joints                     names, fit_error, validation_error
%   options, files             what took effect, and the files with their SHA-256, n x 2
%   notes, json                what the computation told; the result file
  result = roberval_call_ ('identify', robot, recordings, varargin{:});
end
