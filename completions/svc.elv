set edit:completion:arg-completer[svc] = { |@words|
    var index = (count $words)
    set index = (- $index 1)

    put (env _CLAP_IFS="\n" _CLAP_COMPLETE_INDEX=(to-string $index) _SVC_COMPLETE="elvish" svc -- $@words) | to-lines
}
