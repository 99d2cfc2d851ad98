//! Which machine this is, for the label `until` (design §4).

use std::fs;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};

/// Eight hexadecimal digits that tell the place where a lock is worth something: machine, host
/// name and cache directory. A hash, since the identifier of a machine is not to be published:
/// <https://www.freedesktop.org/software/systemd/man/latest/machine-id.html>
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineId(String);

/// What the label `until` of a release says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Until {
    /// Epoch second at which svc will have ended its helm.
    pub epoch: i64,
    pub machine: MachineId,
}

impl MachineId {
    /// From `/etc/machine-id` (absent in most containers), the host name and the cache directory.
    pub fn of_this_machine(cache: &Path) -> Self {
        let machine = fs::read_to_string("/etc/machine-id").unwrap_or_default();
        let system = rustix::system::uname();
        Self::from_parts(&machine, &system.nodename().to_string_lossy(), cache)
    }

    /// From its parts: containers of one image share the first, clones of a machine the second,
    /// users of a machine both.
    pub fn from_parts(machine: &str, host: &str, cache: &Path) -> Self {
        let text = format!("svc\0{}\0{host}\0{}", machine.trim(), cache.display());
        Self(hexadecimal(&Sha256::digest(text)[..4]))
    }

    /// The eight digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Until {
    /// Now and as long as a helm with this `--timeout` may live: see [`super::longest_life`].
    pub fn after(now_epoch: i64, life: Duration, machine: MachineId) -> Self {
        let life = i64::try_from(life.as_secs()).unwrap_or(i64::MAX);
        Self { epoch: now_epoch.saturating_add(life), machine }
    }

    /// Reads the label; `None` when it is not svc's.
    pub fn from_label(label: &str) -> Option<Self> {
        let (epoch, machine) = label.split_once('-')?;
        let is_machine = machine.len() == 8 && machine.bytes().all(|b| b.is_ascii_hexdigit());
        let epoch = epoch.parse().ok()?;
        is_machine.then(|| Self { epoch, machine: MachineId(machine.to_owned()) })
    }

    /// The label's value.
    pub fn to_label(&self) -> String {
        format!("{}-{}", self.epoch, self.machine.0)
    }
}

/// Lower-case hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;

    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_tells_machines_apart() {
        let id = |machine, host, cache| MachineId::from_parts(machine, host, Path::new(cache));
        let here = id("4f1a\n", "laptop", "/home/a");
        assert_eq!(here, id("4f1a", "laptop", "/home/a"));
        assert_ne!(here, id("4f1b", "laptop", "/home/a"));
        assert_ne!(here, id("4f1a", "pod-1", "/home/a"));
        assert_ne!(here, id("4f1a", "laptop", "/home/b"));
        assert_eq!(here.as_str().len(), 8);
    }

    #[test]
    fn the_label_is_read_as_it_was_written() {
        let machine = MachineId::from_parts("m", "h", Path::new("/c"));
        let until = Until::after(1_900_000_000, Duration::from_mins(5), machine);
        assert_eq!(until.epoch, 1_900_000_300);
        assert_eq!(Until::from_label(&until.to_label()), Some(until));
    }

    #[test]
    fn other_labels_are_not_taken_for_it() {
        for label in ["", "-", "19", "19-", "19-123", "19-1234567g", "x-12345678", "19-123456789"] {
            assert_eq!(Until::from_label(label), None, "{label}");
        }
    }
}
