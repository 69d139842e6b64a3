#compdef turf
# zsh completion for turf. It asks turf what fits, so it need not know anything.
_turf() {
    local -a answers finished unfinished
    local line word about
    answers=("${(@f)$("${(Q)words[1]/#\~/$HOME}" completion answer -- \
        "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in $answers; do
        word=${line%%$'\t'*}
        about=
        [[ $line = *$'\t'* ]] && about=":${line#*$'\t'}"
        case $word in
            :*) ;;
            *[=:,]) unfinished+=("${word//:/\\:}$about") ;;
            *) finished+=("${word//:/\\:}$about") ;;
        esac
    done
    _describe -V turf finished -- unfinished -S ''
    for line in $answers; do
        case $line in
            :files) compset -P '*[:=]'; _files ;;
            :folders) compset -P '*='; _files -/ ;;
            :programs) _command_names -e ;;
        esac
    done
}
if [ "$funcstack[1]" = _turf ]; then _turf "$@"; else compdef _turf turf; fi
