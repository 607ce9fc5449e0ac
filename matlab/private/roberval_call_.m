function out = roberval_call_ (varargin)
% ROBERVAL_CALL_  Call the library; strings of MATLAB become texts.
  if exist ('convertStringsToChars', 'builtin') || exist ('convertStringsToChars', 'file')
    [varargin{:}] = convertStringsToChars (varargin{:});
  end
  out = roberval_mex (varargin{:});
end
