# shellcheck shell=bash
# How the scripts here speak: on stderr, one line per step with the seconds since the start.
SVC_CLUSTER_SINCE=${SVC_CLUSTER_SINCE:-${EPOCHSECONDS:-0}}
export SVC_CLUSTER_SINCE

say() { printf 'cluster: %4ds  %s\n' $((EPOCHSECONDS - SVC_CLUSTER_SINCE)) "$*" >&2; }

stop() { # one sentence, and what to do
  printf 'cluster: error: %s\n' "$*" >&2
  exit 1
}

# step TEXT LOG CMD…: run CMD with its output in LOG, a line each 30 s while it runs; where it fails, the end of LOG.
step() {
  local text=$1 log=$2 command ticker status=0
  shift 2
  mkdir -p "$(dirname "$log")"
  say "$text"
  (while sleep 30; do say "  still: $text"; done) &
  ticker=$!
  "$@" >"$log" 2>&1 </dev/null &
  command=$!
  wait "$command" || status=$?
  end_tree "$ticker"
  wait "$ticker" 2>/dev/null || true
  if ((status)); then
    tail -n 20 "$log" >&2
    stop "failed: $text (all of it in $log)"
  fi
}

end_tree() { # PID, and all below it
  local child children
  children=$(cat "/proc/$1/task/$1/children" 2>/dev/null) || return 0
  kill "$1" 2>/dev/null || true
  for child in $children; do end_tree "$child"; done
}

end_jobs() { # all that this script started
  local job
  for job in $(jobs -p); do end_tree "$job"; done
}
