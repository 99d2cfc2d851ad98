# shellcheck shell=bash disable=SC2154
# One run: its folder, its start in namespaces of its own, commands inside, its end. Needs settings.sh and progress.sh.
run='' launcher='' first=''

# Whoever holds the lock of a run folder still runs: the lock is inherited by all processes of the run. Others were killed.
sweep() {
  local folder
  for folder in "$cache"/run/*/; do
    [[ ! -d $folder ]] || (! flock -n 9 || remove_run "${folder%/}") 9>"$folder/lock"
  done
}

remove_run() { # FOLDER
  local try
  for try in 1 2 3 4 5; do
    find /sys/fs/cgroup -depth -type d -path "*/svc-test-$(basename "$1")*" -exec rmdir {} + 2>/dev/null || true
    [[ $(find /sys/fs/cgroup -maxdepth 2 -name "svc-test-$(basename "$1")") ]] || break
    sleep "0.$try"
  done
  # Processes that were killed this moment may still write.
  until rm -rf "$1" 2>/dev/null; do sleep 0.1; done
}

new_run() {
  local all
  exec {all}>"$cache/run.lock"
  flock "$all"
  sweep
  run=$(mktemp -d "$cache/run/XXXXXX")
  exec 9>"$run/lock"
  flock 9
  exec {all}>&-
  mkdir "$run/bin" "$run/log" "$run/charts"
}

# If this script is killed, so is the launcher, and with it process 1 and all others of the namespaces.
launch() {
  setsid setpriv --pdeathsig KILL unshare --net --mount --uts --ipc --pid --fork --kill-child --mount-proc \
    "$here/node/up" "$cache" "$run" >"$run/log/up" 2>&1 </dev/null {terminal}<&- &
  launcher=$!
  until first=$(cat "/proc/$launcher/task/$launcher/children") && [[ $first ]]; do
    kill -0 "$launcher" 2>/dev/null || failed_start
    sleep 0.02
  done
  first=${first% }
}

failed_start() {
  local server=up
  [[ ! -f $run/failed ]] || server=$(<"$run/failed")
  tail -n 20 "$run/log/$server" >&2
  mkdir -p "$cache/log/failed" && cp "$run"/log/* "$cache/log/failed/"
  stop "$server did not start (its log, and the others': $cache/log/failed)"
}

wait_until() { # FILE of the run
  local end=$((EPOCHSECONDS + 90))
  until [[ -e $run/$1 ]]; do
    kill -0 "$launcher" 2>/dev/null || failed_start
    ((EPOCHSECONDS < end)) || failed_start
    sleep 0.05
  done
}

# inside CMD…: with its terminal, folder and descriptors in the namespaces. In the background, so that signals are heard here;
# nsenter then ignores Ctrl-C, as it must to live until CMD has answered it.
inside() {
  nsenter --target "$first" --net --mount --uts --ipc --pid \
    env --unset=SVC_CLUSTER_SINCE --chdir="$PWD" --default-signal=INT,QUIT "$@" <&"$terminal" 9>&- {terminal}<&- &
}

finish() {
  # Process 1 takes all others of the namespaces with it, before its own end is over.
  [[ ! $first ]] || kill -KILL "$first" 2>/dev/null || true
  [[ $first || ! $launcher ]] || kill -KILL "$launcher" 2>/dev/null || true
  [[ ! $launcher ]] || wait "$launcher" 2>/dev/null || true
  end_jobs
  exec 9>&-
  [[ ! $run ]] || remove_run "$run"
}
