//! Bytes for helm alone: an open file that it inherits and reads as `/dev/fd/N`.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd, RawFd};

use command_fds::FdMapping;

/// The first descriptor after stdin, stdout and stderr.
const FIRST: RawFd = 3;

/// The descriptors that one helm inherits.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    owned: Vec<OwnedFd>,
}

impl Descriptors {
    /// Writes the bytes where nobody else can read them; complete, and on Linux sealed, before
    /// helm starts. Returns the path under which helm reads them.
    pub(super) fn add_bytes(&mut self, content: &[u8]) -> io::Result<String> {
        let file = private_file(content)?;
        let number = self.push(file.into())?;
        Ok(format!("/dev/fd/{number}"))
    }

    /// Lets helm hold an open file too, so that its lock lives as long as helm does.
    pub(super) fn add_held(&mut self, file: impl AsFd) -> io::Result<()> {
        let copy = file.as_fd().try_clone_to_owned()?;
        self.push(copy).map(|_| ())
    }

    /// The mapping for the child process.
    pub(super) fn into_mappings(self) -> Vec<FdMapping> {
        (FIRST..)
            .zip(self.owned)
            .map(|(child_fd, parent_fd)| FdMapping { parent_fd, child_fd })
            .collect()
    }

    fn push(&mut self, descriptor: OwnedFd) -> io::Result<RawFd> {
        let before = RawFd::try_from(self.owned.len()).map_err(io::Error::other)?;
        self.owned.push(descriptor);
        Ok(FIRST + before)
    }
}

/// A memory file that can neither be written nor resized any more.
#[cfg(target_os = "linux")]
fn private_file(content: &[u8]) -> io::Result<File> {
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(memfd_create("svc", flags)?);
    file.write_all(content)?;
    fcntl_add_seals(
        &file,
        SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL,
    )?;
    Ok(file)
}

/// A 0600 file without a name. `/dev/fd` shares the position here, so it is wound back.
#[cfg(not(target_os = "linux"))]
fn private_file(content: &[u8]) -> io::Result<File> {
    use std::io::{Seek, SeekFrom};

    let mut file = tempfile::tempfile()?;
    file.write_all(content)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_follow_stderr_in_the_order_in_which_they_were_added() {
        let mut descriptors = Descriptors::default();
        assert_eq!(descriptors.add_bytes(b"{}").unwrap(), "/dev/fd/3");
        descriptors.add_held(tempfile::tempfile().unwrap()).unwrap();
        assert_eq!(descriptors.add_bytes(b"x").unwrap(), "/dev/fd/5");
        let children: Vec<_> =
            descriptors.into_mappings().iter().map(|mapping| mapping.child_fd).collect();
        assert_eq!(children, [3, 4, 5]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_bytes_cannot_be_changed_any_more() {
        use std::io::{Read, Seek, SeekFrom};

        let mut file = private_file(b"{\"a\":1}").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        assert!(file.write_all(b"x").is_err());
        assert!(file.set_len(0).is_err());
        assert!(file.set_len(100).is_err());
        let mut content = String::new();
        file.read_to_string(&mut content).unwrap();
        assert_eq!(content, "{\"a\":1}");
    }
}
