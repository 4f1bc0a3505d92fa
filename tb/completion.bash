# bash completes the verbs of gossamer, and the options that the help of a verb lists.
_gossamer() {
  local words
  case $COMP_CWORD in
    1) words=$(gossamer --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p') ;;
    *) words=$(gossamer help "${COMP_WORDS[1]}" 2>/dev/null | sed -n 's/^  \(-[^ ]*\).*/\1/p' | tr , '\n') ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _gossamer gossamer
