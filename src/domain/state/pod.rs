//! The column STATUS of a pod in words. The table says no more than that.

use crate::domain::instance::PodRow;

/// The least healthy pod, `None` when all are ready. Pods that ran to their end are well; pods
/// that are going, or that their node has put out, count only while nothing else is there.
pub fn worst<'a>(pods: &[&'a PodRow]) -> Option<&'a PodRow> {
    let staying = pods.iter().any(|pod| is_staying(pod));
    pods.iter()
        .copied()
        .filter(|pod| !is_well(pod) && (!staying || is_staying(pod)))
        .max_by_key(|pod| (severity(pod), pod.restarts, std::cmp::Reverse(&pod.name)))
}

fn is_well(pod: &PodRow) -> bool {
    let (ready, all) = pod.ready;
    !pod.deleting && (pod.status == "Completed" || (pod.status == "Running" && ready >= all))
}

/// An evicted pod stays in the list for as long as nobody removes it.
fn is_staying(pod: &PodRow) -> bool {
    !pod.deleting && pod.status != "Evicted"
}

fn severity(pod: &PodRow) -> u8 {
    match bare(&pod.status) {
        "CrashLoopBackOff" | "Error" | "OOMKilled" => 4,
        status if status.contains("Image") || status.ends_with("Error") => 3,
        "Pending" => 2,
        "Running" => 0,
        _ => 1,
    }
}

/// What holds a pod up: `crashed 14 times`, `waiting for a node`.
pub fn pod_words(pod: &PodRow) -> String {
    let status = bare(&pod.status);
    let words = match status {
        _ if pod.deleting => "stopping",
        "CrashLoopBackOff" | "Error" | "OOMKilled" if pod.restarts > 0 => {
            return crashed(pod.restarts);
        }
        "CrashLoopBackOff" | "Error" => "crashed",
        "OOMKilled" => "ran out of memory",
        "ErrImagePull" | "ImagePullBackOff" => "cannot pull its image",
        "InvalidImageName" => "the name of its image is not valid",
        "Pending" => "waiting for a node",
        "ContainerCreating" | "PodInitializing" => "creating its containers",
        "CreateContainerConfigError" => "a Secret or ConfigMap it needs is missing",
        "CreateContainerError" | "RunContainerError" => "its container cannot start",
        "Evicted" => "evicted from its node",
        "Unknown" | "NodeLost" => "its node does not answer",
        "Running" if pod.restarts >= super::CRASHES => return crashed(pod.restarts),
        "Running" => "running, not ready",
        other => match other.split_once('/') {
            Some((done, all)) if pod.status.starts_with("Init:") => {
                return format!("preparing, step {done} of {all} done");
            }
            _ => return other.to_owned(),
        },
    };
    words.to_owned()
}

/// `Init:Error` says the same as `Error`.
fn bare(status: &str) -> &str {
    status.strip_prefix("Init:").unwrap_or(status)
}

fn crashed(times: u32) -> String {
    if times == 1 { "crashed once".to_owned() } else { format!("crashed {times} times") }
}
