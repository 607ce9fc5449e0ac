function text = shape_ (value, name)
% Fields of a structure, their classes and what belongs to each row: the same for all results.
  text = sprintf ('%s %s', name, class (value));
  if isstruct (value)
    names = fieldnames (value);
    for i = 1:numel (names)
      if numel (value) == 1
        text = [text "\n" shape_(value.(names{i}), [name '.' names{i}])];
      else
        text = [text "\n" name '.' names{i}];
      end
    end
  elseif ~ischar (value)
    text = sprintf ('%s %d columns', text, columns (value));
  end
end
