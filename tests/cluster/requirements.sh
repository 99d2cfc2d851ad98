# shellcheck shell=bash disable=SC2154
# What the machine must be, and the packages it lacks.
or_your_own='or use the cluster you have: svc works on any'

require_machine() {
  [[ $(uname -s) == Linux ]] || stop "the test cluster needs Linux; run it in a virtual machine, $or_your_own"
  ((EUID == 0)) || stop "the test cluster makes namespaces and mounts; run it as root (sudo -E $0), $or_your_own"
  command -v go >/dev/null || stop "Go is not installed and builds the servers; install Go 1.25 or newer, $or_your_own"
}

# COMMAND PACKAGE, one pair a line: the command tells whether the package is there.
packages_needed() {
  local command package
  while read -r command package; do
    [[ -x $command ]] || command -v "$command" >/dev/null || echo "$package"
  done <<'LIST'
containerd containerd
runc runc
/usr/lib/cni/ptp containernetworking-plugins
iptables iptables
conntrack conntrack
ip iproute2
nsenter util-linux
mmdebstrap mmdebstrap
openssl openssl
psql postgresql-client
unzip unzip
LIST
}

install_packages() {
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

require_packages() {
  local missing
  mapfile -t missing < <(packages_needed)
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null || stop "not installed: ${missing[*]}; install them (Debian's names), $or_your_own"
  step "installing ${missing[*]}" "$cache/log/apt" install_packages "${missing[@]}"
}
