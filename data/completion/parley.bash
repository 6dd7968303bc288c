_parley() {
  local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  mapfile -t COMPREPLY < <(parley completion bash --words "${words[@]/#/=}" 2>/dev/null)
}
complete -o default -F _parley parley
