"""Fills a cluster: real release Secrets, a pod object for each, many classes."""

import base64
import gzip
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

INSTANCES = 1000
NAMESPACES = 20
CLASSES = 200
RECORD_BYTES = 100_000
LABELS = "svc-cli.dev/"


def namespace(number):
    return f"load-{number}"


def create(objects):
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    subprocess.run(["kubectl", "create", "-f", "-"], input=text, text=True, check=True, stdout=subprocess.DEVNULL)


def kubectl_json(*args):
    return json.loads(subprocess.check_output(["kubectl", *args, "-o", "json"]))


def real_release():
    """A release that svc made, as helm stored it."""
    subprocess.run(["kubectl", "create", "namespace", "seed"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["svc", "create", "seed", "-n", "seed", "-c", "redis", "--no-wait", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    secret = kubectl_json("get", "secret", "sh.helm.release.v1.seed.v1", "-n", "seed")
    record = gzip.decompress(base64.b64decode(base64.b64decode(secret["data"]["release"])))
    return secret, json.loads(record)


def encoded(record):
    return base64.b64encode(base64.b64encode(gzip.compress(json.dumps(record).encode(), 1))).decode()


def instance(secret, record, number):
    name, place = f"db{number}", namespace(number % NAMESPACES)
    record = dict(record, name=name, namespace=place)
    labels = dict(secret["metadata"]["labels"], name=name)
    release = {"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
               "metadata": {"name": f"sh.helm.release.v1.{name}.v1", "namespace": place, "labels": labels},
               "data": {"release": encoded(record)}}
    pod = {"apiVersion": "v1", "kind": "Pod",
           "metadata": {"name": f"{name}-0", "namespace": place, "labels": {"app.kubernetes.io/instance": name}},
           "spec": {"schedulerName": "nobody", "containers": [{"name": "a", "image": "svc.test/pause:1"}]}}
    return [release, pod]


def padded(secret, record):
    """The record with incompressible bytes in a file of its chart, until it has its size."""
    missing = RECORD_BYTES - len(encoded(record)) * 3 // 4
    data = base64.b64encode(os.urandom(max(missing * 3 // 4, 1))).decode()
    record["chart"].setdefault("files", []).append({"name": "padding", "data": data})
    return secret, record


def classes():
    model = kubectl_json("get", "serviceclass", "postgres")
    there = len(kubectl_json("get", "serviceclasses")["items"])
    spec = {"apiVersion": model["apiVersion"], "kind": model["kind"], "spec": model["spec"]}
    return [dict(spec, metadata={"name": f"class-{number}"}) for number in range(CLASSES - there)]


def fill():
    create([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace(n)}} for n in range(NAMESPACES)])
    secret, record = padded(*real_release())
    subprocess.run(["svc", "delete", "seed", "-n", "seed", "--yes", "-q"], check=True)
    chunks = [range(start, start + 25) for start in range(0, INSTANCES, 25)]

    def make(chunk):
        create([one for number in chunk for one in instance(secret, record, number)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(make, chunks))
    create(classes())
