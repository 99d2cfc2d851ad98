"""Measures svc beside helm, kubectl and curl, and prints the table of docs/benchmarks.md."""

import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import load

ROOT = Path(__file__).resolve().parents[2]
SVC = os.path.realpath(subprocess.check_output(["which", "svc"], text=True).strip())


def hyperfine(commands, runs=10, extra=()):
    """Median wall seconds of each command, measured one beside the other."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run(
            ["hyperfine", "-N", "--warmup", "2", "--runs", str(runs), "--style", "none", "-i", *extra,
             "--export-json", out.name, *commands],
            check=True, stdout=subprocess.DEVNULL)
        return [result["median"] for result in json.load(open(out.name))["results"]]


def peak(command):
    """Peak resident memory of a command, in MiB."""
    code = ("import resource,subprocess,sys;"
            "subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = subprocess.check_output([sys.executable, "-c", code, *command.split()], text=True)
    return int(out) / 1024


def row(measure, goal, ratio, limit, figures):
    return [measure, goal, f"{ratio:.3f}", "yes" if ratio <= limit else "NO", figures]


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def start_up():
    svc, helm, nothing = hyperfine(["svc --version", "helm version", "/bin/true"], runs=40)
    figures = f"{milliseconds(svc)}, helm {milliseconds(helm)}, /bin/true {milliseconds(nothing)}"
    return [row("`svc --version` / `helm version`", "≤ 1/10", svc / helm, 1 / 10, figures),
            row("`svc --version` / `/bin/true`", "≤ 3", svc / nothing, 3, figures)]


def listing():
    count = len(subprocess.check_output(["svc", "list", "-A", "-o", "name"], text=True).splitlines())
    assert count == load.INSTANCES, f"svc list -A names {count} of {load.INSTANCES}"
    svc, = hyperfine(["svc list -A"], runs=10)
    helm, = hyperfine(["helm list -A --max 0"], runs=3)
    small, large = peak("svc list -A"), peak("helm list -A --max 0")
    return [row(f"`svc list -A` / `helm list -A --max 0`, {count} instances, wall", "≤ 1/50", svc / helm, 1 / 50,
                f"{milliseconds(svc)}, helm {milliseconds(helm)}"),
            row("the same, memory", "≤ 1/15", small / large, 1 / 15, f"{small:.0f} MiB, helm {large:.0f} MiB")]


METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"


def curl(requests, folder):
    """One curl that makes these requests side by side as the same user."""
    config = json.loads(subprocess.check_output(["kubectl", "config", "view", "--raw", "--minify", "-o", "json"]))
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    lines = []
    for path, accept in requests:
        lines += [f'url = "{cluster["server"]}{path}"', f'header = "Accept: {accept}"',
                  f'header = "Authorization: Bearer {user["token"]}"',
                  f'cacert = "{cluster["certificate-authority"]}"', 'output = "/dev/null"', "next"]
    file = Path(folder) / "curl"
    file.write_text("\n".join(lines[:-1]) + "\n")
    return f"curl -s -Z --parallel-immediate --compressed -K {file}".replace(" --compressed", "")


def requests():
    classes = ("/apis/svc-cli.dev/v1alpha1/serviceclasses?limit=500", "application/json")
    namespace = load.namespace(0)
    secrets = f"/api/v1/namespaces/{namespace}/secrets?limit=500&labelSelector=owner%3Dhelm&fieldSelector=type%3Dhelm.sh%2Frelease.v1"
    pods = f"/api/v1/namespaces/{namespace}/pods?limit=500&includeObject=Metadata"
    with tempfile.TemporaryDirectory() as folder:
        three = curl([(secrets, METADATA), (pods, TABLE), classes], folder)
        svc, one = hyperfine([f"svc list -n {namespace}", three], runs=20)
        rows = [row("`svc list` / `curl -Z` of the same three requests", "≤ 1.5", svc / one, 1.5,
                    f"{milliseconds(svc)}, curl {milliseconds(one)}")]
        rights = curl([classes], folder)
        svc, one = hyperfine(["svc catalog", rights], runs=20)
        rows.append(row(f"`svc catalog` / `curl` of the classes, {load.CLASSES} classes", "≤ 1.5", svc / one, 1.5,
                        f"{milliseconds(svc)}, curl {milliseconds(one)}"))
        forget = ["--prepare", f"rm -rf {os.environ['SVC_CACHE_DIR']}/servers"]
        (svc,), (one,) = hyperfine(["svc catalog"], runs=20, extra=forget), hyperfine([rights], runs=20)
        rows.append(row("the same, nothing known of them yet", "≤ 1.5", svc / one, 1.5,
                        f"{milliseconds(svc)}, curl {milliseconds(one)}"))
    svc, kubectl = hyperfine(["svc catalog", "kubectl get serviceclasses"], runs=15)
    small, large = peak("svc catalog"), peak("kubectl get serviceclasses")
    rows.append(row("`svc catalog` / `kubectl get serviceclasses`, wall", "≤ 0.5", svc / kubectl, 0.5,
                    f"{milliseconds(svc)}, kubectl {milliseconds(kubectl)}"))
    rows.append(row("the same, memory", "≤ 1/3", small / large, 1 / 3, f"{small:.0f} MiB, kubectl {large:.0f} MiB"))
    return rows


def creating(runs=12):
    """The same chart and values, from the registry, the second time; one after the other."""
    subprocess.run(["kubectl", "create", "namespace", "bench"], check=True, stdout=subprocess.DEVNULL)
    values = json.dumps({"auth": {"database": "orders"}, "primary": {"persistence": {"size": "1Gi"}}})
    file = Path(tempfile.mkdtemp()) / "values.json"
    file.write_text(values)
    registry = os.environ["REGISTRY"]
    taken = {"svc": [], "helm": []}
    for number in range(runs + 1):
        commands = {
            "svc": ["svc", "create", f"s{number}", "-n", "bench", "-c", "redis", "--no-wait", "-q"],
            "helm": ["helm", "install", f"h{number}", f"oci://{registry}/charts/redis", "-n", "bench", "-f", str(file)],
        }
        for name, command in commands.items():
            begun = time.monotonic()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if number:
                taken[name].append(time.monotonic() - begun)
    svc, helm = (statistics.median(taken[name]) for name in ("svc", "helm"))
    return [row("`svc create --no-wait` / `helm install`, chart from the registry, second time", "≤ 1.05",
                svc / helm, 1.05, f"{milliseconds(svc)}, helm {milliseconds(helm)}")]


def rendering():
    """What helm would apply: the same chart and values, helm run in both."""
    parameters = {"database": "orders", "storage": "1Gi", "mode": "standalone"}
    shown = subprocess.check_output(
        ["svc", "create", "draft", "-c", "postgres", "--dry-run", "--manifests",
         *(word for name, value in parameters.items() for word in ("--set", f"{name}={value}"))], text=True)
    assert "kind: StatefulSet" in shown, shown
    with tempfile.TemporaryDirectory() as folder:
        values = Path(folder) / "values.json"
        values.write_text(json.dumps({
            "auth": {"username": "app", "database": "orders", "postgresPassword": "x" * 24},
            "architecture": "standalone", "metrics": {"enabled": False}, "maxConnections": 100,
            "primary": {"persistence": {"size": "1Gi"}, "resources": {"limits": {"memory": "1Gi"}}}}))
        given = " ".join(f"--set {name}={value}" for name, value in parameters.items())
        svc, helm = hyperfine(
            [f"svc create draft -c postgres --dry-run --manifests {given}",
             f"helm template draft oci://{os.environ['REGISTRY']}/charts/postgresql --dry-run=server -f {values}"], runs=15)
    return [row("`svc create --dry-run --manifests` / `helm template` of the same values", "≤ 1.2", svc / helm, 1.2,
                f"{milliseconds(svc)}, helm {milliseconds(helm)}")]


def completing():
    """A TAB behind `--set mode=`: against the cluster, and against a server that never answers."""
    words = ["svc", "create", "mydb", "--class", "postgres", "--set", "mode="]
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as silent:
        asked = f"env _SVC_COMPLETE=bash _CLAP_COMPLETE_INDEX={len(words) - 1} SVC_CACHE_DIR={folder}/cache"
        hole = Path(folder) / "hole"
        hole.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "hole",
            "clusters": [{"name": "hole", "cluster": {"server": f"https://127.0.0.1:{silent.getsockname()[1]}"}}],
            "users": [{"name": "hole", "user": {"token": "t"}}],
            "contexts": [{"name": "hole", "context": {"cluster": "hole", "user": "hole"}}]}))
        line = " ".join(words)
        subprocess.run(f"rm -rf {folder}/cache", shell=True, check=True)
        found = subprocess.check_output(f"{asked} svc -- {line}", shell=True, text=True)
        assert "replication" in found, found
        assert not subprocess.check_output(f"{asked} KUBECONFIG={hole} svc -- {line}", shell=True)
        anew = ["--prepare", f"rm -rf {folder}/cache"]
        live, = hyperfine([f"{asked} svc -- {line}"], runs=20, extra=anew)
        none, = hyperfine([f"{asked} KUBECONFIG={hole} svc -- {line}"], runs=5, extra=anew)
    return [row("completing `--set mode=` against the cluster", "≤ 60 ms", live * 1000, 60, milliseconds(live)),
            row("the same, a server that never answers", "≤ 1200 ms", none * 1000, 1200, milliseconds(none))]


def binary():
    size = os.path.getsize(SVC) / 1e6
    return [["binary, `dist` profile", "≤ 14 MB", f"{size:.1f} MB", "yes" if size <= 14 else "NO", "helm 66 MB, kubectl 62 MB"]]


def table(rows):
    head = ["measure", "goal", "ratio", "met", "figures"]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main():
    load.fill()
    rows = [*start_up(), *listing(), *requests(), *creating(), *rendering(), *completing(), *binary()]
    text = table(rows)
    print(text)
    if "--write" in sys.argv:
        intro = ("# Benchmarks\n\nRatios of one run of `tests/bench` (medians by hyperfine, peak resident memory), on a\n"
                 "throwaway cluster of 2 cores; the figures beside them are of that run and that machine.\n\n")
        (ROOT / "docs/benchmarks.md").write_text(intro + text)


main()
