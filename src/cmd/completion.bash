# bash completion for turf. It asks turf what fits, so it need not know anything.
_turf() {
    # bash cuts words at = and :, which belong to the description of a player: here they are put together again for the
    # question, and what bash has cut off is taken off the answers.
    local rest=${COMP_LINE:0:COMP_POINT} words=() answers=() word line i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        local begun=${rest#"${rest%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && word=$begun
        if [[ $i == 0 || $rest != "$begun" ]]; then
            words+=("$word")
        else
            words[-1]+=$word
        fi
        rest=${begun#"$word"}
    done
    local breaks=${COMP_WORDBREAKS//[^:=]/} current=${words[-1]} cut=
    [[ -n $breaks && $current == *[$breaks]* ]] && cut=${current%"${current##*[$breaks]}"}
    current=${current#"$cut"}

    mapfile -t answers <<<"$("${words[0]/#\~/$HOME}" completion answer -- "${words[@]:1}" 2>/dev/null)"
    COMPREPLY=()
    for line in "${answers[@]}"; do
        word=${line%%$'\t'*}
        word=${word#"$cut"}
        case $line in
            :files) word=$(compgen -f -- "$current") ;;
            :folders) word=$(compgen -d -- "$current") ;;
            :programs) word=$(compgen -c -- "$current") ;;
        esac
        [[ -n $word ]] && mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY <<<"$word"
        [[ $line == :f* ]] && compopt -o filenames 2>/dev/null
    done
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:,] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _turf turf
