#compdef BIN
# zsh completion of BIN: a candidate that ends with = or / gets no space.
_NAME() {
    local -a typed=("${(@Q)words}") spaced=() open=()
    typed[CURRENT]=${(Q)PREFIX}
    local candidate
    for candidate in "${(@f)$(VAR=zsh _CLAP_COMPLETE_INDEX=$((CURRENT - 1)) command BIN -- "${(@)typed}" 2>/dev/null)}"; do
        case ${candidate%%:*} in
            '') ;;
            *[=/]) open+=("$candidate") ;;
            *) spaced+=("$candidate") ;;
        esac
    done
    (($#spaced)) && _describe -V candidates spaced
    (($#open)) && _describe -V candidates open -S ''
}
if [[ ${funcstack[1]} == _NAME ]]; then
    _NAME "$@" # autoloaded from a folder of $fpath
else
    compdef _NAME BIN
fi
