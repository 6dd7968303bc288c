#compdef parley
_parley() {
  local -a found
  found=("${(@f)$(parley completion zsh --words "${(@)${(@)words[2,$CURRENT]}/#/=}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
if [[ "$funcstack[1]" = "_parley" ]]; then _parley "$@"; else compdef _parley parley; fi
