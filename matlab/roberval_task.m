function found = roberval_task (kind, inputs, varargin)
% ROBERVAL_TASK  Any command that is a task of the library.
%
%   found = roberval_task ('check', {'tx40', 'log.csv'})
%   found = roberval_task ('payload', {'arm.json', 'loaded.csv'})
%
% kind    'check', 'validate', 'payload', 'excite', 'montecarlo', 'compare', 'export', 'controller', ...
% inputs  a path or a cell of paths and recordings, as the command takes them
%
% Options are those of the command, as one structure or as pairs of name and value, with _ for -. Values are
% texts, numbers, vectors, true, false and cells of texts.
% roberval_options (kind) lists them.
%
% found.answer  true: the answer is yes
% found.data    the JSON of the command: lists of numbers are columns (null: NaN), lists of objects are structure arrays
% found.notes, found.json
  found = roberval_call_ ('task', kind, inputs, varargin{:});
end
