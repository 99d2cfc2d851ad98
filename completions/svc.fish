complete --keep-order --exclusive --command svc --arguments "(_SVC_COMPLETE=fish svc -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
