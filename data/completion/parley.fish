function __parley_words
  set -l given (commandline -opc)[2..-1] (commandline -ct)
  parley completion fish --words "="$given 2>/dev/null
end
complete -c parley -f -n 'test -n "$(__parley_words)"' -a '(__parley_words)'
