function roberval_delete_ (file)
% ROBERVAL_DELETE_  Remove a temporary file, if it is there.
  if exist (file, 'file')
    delete (file);
  end
end
