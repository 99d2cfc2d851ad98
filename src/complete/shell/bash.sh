# bash completion of BIN. bash breaks words at = and :, so they are put together again; and what
# stands before the last break is taken off the candidates, as bash replaces only what follows it.
_NAME() {
    local words=() start= rest=$COMP_LINE last=-1 index=-1 between glued i word
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        word=${COMP_WORDS[i]} glued= between=0
        if [[ $last -ge 0 && -n $word && $rest == "$word"* ]]; then
            glued=${words[last]}
        fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        rest=${rest#"$word"}
        if ((i == COMP_CWORD)); then
            if [[ $word == [=:]* ]]; then
                start=$glued$word
            elif [[ -n $word && -z $2 ]]; then
                words[++last]= glued= between=1
            else
                start=$glued word=$2
            fi
        elif [[ -n $glued && $last -eq $index ]]; then
            continue # the rest of the word that the cursor is in
        fi
        [[ -n $glued ]] || ((++last))
        words[last]=$glued$word
        ((i == COMP_CWORD)) && index=$((last - between))
    done
    COMPREPLY=()
    while IFS= read -r word; do
        [[ -z $word ]] || COMPREPLY+=("${word#"$start"}")
    done <<<"$(VAR=bash _CLAP_COMPLETE_INDEX=$index command BIN -- "${words[@]}" 2>/dev/null)"
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace
    fi
}
complete -o bashdefault -o nosort -F _NAME BIN 2>/dev/null || complete -o bashdefault -F _NAME BIN
