function text = roberval_version ()
% ROBERVAL_VERSION  Version of the library.
%
%   roberval_version ()
  text = roberval_call_ ('version');
end
