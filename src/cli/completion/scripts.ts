/**
 * The scripts ask Parley itself for the words, so that run ids and settings are those of the moment.
 * Words are handed over with a leading "=", which keeps options from being read as options of `completion`.
 */
const bash = `_parley() {
  local line word
  COMPREPLY=()
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash splits words at "=" and ":"; put them together again
  local joined=() glue=""
  for word in "\${words[@]}"; do
    if [ "$word" = "=" ] && [ \${#joined[@]} -gt 0 ]; then joined[-1]+="="; glue=1
    elif [ -n "$glue" ]; then joined[-1]+="$word"; glue=""
    else joined+=("$word"); fi
  done
  local current="\${joined[-1]}" cut=""
  case "$current" in *=*) [ "\${COMP_WORDS[COMP_CWORD]}" = "$current" ] || cut="\${current%%=*}=" ;; esac
  while IFS= read -r line; do COMPREPLY+=("\${line#"$cut"}"); done < <(parley completion bash --words "\${joined[@]/#/=}" 2>/dev/null)
  if [ \${#COMPREPLY[@]} -eq 0 ]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); fi
  case "\${COMPREPLY[*]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -F _parley parley
`;

const zsh = `#compdef parley
_parley() {
  local -a found
  found=("\${(@f)$(parley completion zsh --words "\${(@)\${(@)words[2,$CURRENT]}/#/=}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -S '' -q -- \${(M)found:#*=}; compadd -- \${found:#*=}; else _files; fi
}
if [[ "$funcstack[1]" = "_parley" ]]; then _parley "$@"; else compdef _parley parley; fi
`;

const fish = `function __parley_words
  set -l given (commandline -opc)[2..-1] (commandline -ct)
  parley completion fish --words "="$given 2>/dev/null
end
complete -c parley -f -n 'test -n "$(__parley_words)"' -a '(__parley_words)'
`;

export const scripts = { bash, zsh, fish };
