//! Which helm this is: asked once, remembered as long as the program does not change.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use semver::Version;
use sha2::{Digest, Sha256};

use super::descriptor::Descriptors;
use super::directory::CacheDirectory;
use super::environment::HelmEnvironment;
use super::locate::FindError;
use super::machine::hexadecimal;
use super::run::{Invocation, Outcome, run};
use super::signal::Signals;
use crate::error::cause_words;

/// The oldest helm that knows `--labels`.
pub(super) const OLDEST: Version = Version::new(3, 13, 0);

/// Longer than this no helm thinks about its own version.
const LIFE: Duration = Duration::from_secs(20);

/// The version of the program at this path.
pub(super) async fn version_of(
    program: &Path,
    environment: &HelmEnvironment,
    cache: &CacheDirectory,
    signals: &mut Signals,
) -> Result<Version, FindError> {
    let remembered = Remembered::of(program, cache);
    if let Some(version) = remembered.as_ref().and_then(Remembered::read) {
        return Ok(version);
    }
    let version = ask(program, environment, cache, signals).await?;
    if version < OLDEST {
        return Err(FindError::TooOld { path: program.to_owned(), version: version.to_string() });
    }
    if let Some(remembered) = remembered {
        // Not being able to remember costs the next command a moment.
        let _ = cache.write(&remembered.file, remembered.content(&version).as_bytes());
    }
    Ok(version)
}

async fn ask(
    program: &Path,
    environment: &HelmEnvironment,
    cache: &CacheDirectory,
    signals: &mut Signals,
) -> Result<Version, FindError> {
    let directory = cache.work_directory().map_err(FindError::of_cache)?;
    let invocation = Invocation {
        args: ["version", "--template", "{{.Version}}"].map(Into::into).to_vec(),
        env: environment.for_helm(None),
        descriptors: Descriptors::default(),
        inherit_stdin: false,
        stdout_limit: 16 * 1024,
        life: LIFE,
    };
    let outcome = run(program, invocation, directory.path(), signals).await.map_err(|cause| {
        FindError::Broken { path: program.to_owned(), says: cause_words(&cause) }
    })?;
    read_answer(&outcome).ok_or_else(|| misunderstood(program, &outcome))
}

/// Wrappers print lines of their own, on either stream.
fn read_answer(outcome: &Outcome) -> Option<Version> {
    let streams = [&outcome.stdout, &outcome.stderr];
    let words = || streams.into_iter().flat_map(|text| text.split_whitespace());
    let with_v = words().find_map(|word| Version::parse(word.strip_prefix('v')?).ok());
    with_v.or_else(|| words().find_map(|word| Version::parse(word).ok()))
}

fn misunderstood(program: &Path, outcome: &Outcome) -> FindError {
    let path = program.to_owned();
    // helm 2 knows no field of this name, and talks of its server.
    let is_helm_2 = outcome.stderr.contains("can't evaluate field Version")
        || outcome.stderr.contains("tiller");
    if is_helm_2 {
        return FindError::TooOld { path, version: "2".to_owned() };
    }
    let first_line = |text: &str| text.lines().map(str::trim).find(|l| !l.is_empty()).map(cut);
    let says = first_line(&outcome.stderr).or_else(|| first_line(&outcome.stdout));
    FindError::Broken { path, says: says.unwrap_or_else(|| "nothing".to_owned()) }
}

fn cut(line: &str) -> String {
    line.chars().take(200).collect()
}

/// Where the version of a program is remembered, and what tells that it is still the same.
struct Remembered {
    file: std::path::PathBuf,
    program: String,
}

impl Remembered {
    /// Only for binaries: the same wrapper script may start another helm tomorrow.
    fn of(program: &Path, cache: &CacheDirectory) -> Option<Self> {
        let program = fs::canonicalize(program).ok()?;
        if is_script(&program)? {
            return None;
        }
        let metadata = fs::metadata(&program).ok()?;
        let name = hexadecimal(&Sha256::digest(program.as_os_str().as_encoded_bytes())[..16]);
        let file = cache.subdirectory("helm").ok()?.join(name);
        let program = format!(
            "{} {}.{:09} {}",
            metadata.ino(),
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.len()
        );
        Some(Self { file, program })
    }

    fn read(&self) -> Option<Version> {
        let content = fs::read_to_string(&self.file).ok()?;
        let (program, version) = content.split_once('\n')?;
        (program == self.program).then(|| Version::parse(version.trim()).ok())?
    }

    fn content(&self, version: &Version) -> String {
        format!("{}\n{version}\n", self.program)
    }
}

fn is_script(program: &Path) -> Option<bool> {
    let mut start = [0; 2];
    std::io::Read::read_exact(&mut fs::File::open(program).ok()?, &mut start).ok()?;
    Some(&start == b"#!")
}

#[cfg(test)]
mod tests {
    use super::super::run::End;
    use super::*;

    fn said(stdout: &str, stderr: &str) -> Outcome {
        Outcome { stdout: stdout.to_owned(), ..Outcome::of_test(End::Exit(0), None, stderr) }
    }

    fn answer(stdout: &str, stderr: &str) -> Option<String> {
        read_answer(&said(stdout, stderr)).map(|version| version.to_string())
    }

    #[test]
    fn the_version_is_found_between_lines_of_a_wrapper() {
        assert_eq!(answer("v3.17.3", "").as_deref(), Some("3.17.3"));
        assert_eq!(answer("v4.1.0+g1a2b", "").as_deref(), Some("4.1.0+g1a2b"));
        assert_eq!(answer("Using tool 2024.1.1\nv4.3.1\n", "W noise").as_deref(), Some("4.3.1"));
        assert_eq!(answer("", "wrapper: v3.14.0-rc.1").as_deref(), Some("3.14.0-rc.1"));
        assert_eq!(answer("3.17.3", "").as_deref(), Some("3.17.3"));
        assert_eq!(answer("v3.17 and more", "permission denied"), None);
        assert_eq!(answer("", ""), None);
    }

    #[test]
    fn helm_2_is_too_old_and_not_broken() {
        let stderr = "Error: template: version:1:2: executing \"version\" at <.Version>: \
                      can't evaluate field Version in type struct";
        let error = misunderstood(Path::new("/h"), &said("", stderr));
        assert!(matches!(error, FindError::TooOld { version, .. } if version == "2"));
    }

    #[test]
    fn what_is_no_helm_is_named_by_what_it_printed() {
        let error = misunderstood(Path::new("/h"), &said("hello\n", "\n  no such option\nmore"));
        assert!(matches!(error, FindError::Broken { says, .. } if says == "no such option"));
        let error = misunderstood(Path::new("/h"), &said("", ""));
        assert!(matches!(error, FindError::Broken { says, .. } if says == "nothing"));
    }

    #[test]
    fn a_binary_is_asked_again_only_when_it_changed() {
        let root = tempfile::tempdir().unwrap();
        let cache = CacheDirectory::open(root.path().join("cache")).unwrap();
        let program = root.path().join("helm");
        fs::write(&program, "\x7fELF one").unwrap();
        let remembered = Remembered::of(&program, &cache).unwrap();
        assert_eq!(remembered.read(), None);
        let version = Version::new(3, 17, 3);
        cache.write(&remembered.file, remembered.content(&version).as_bytes()).unwrap();
        assert_eq!(Remembered::of(&program, &cache).unwrap().read(), Some(version));
        fs::write(&program, "\x7fELF other").unwrap();
        assert_eq!(Remembered::of(&program, &cache).unwrap().read(), None);
        fs::write(&remembered.file, "nonsense").unwrap();
        assert_eq!(remembered.read(), None);
    }

    #[test]
    fn a_wrapper_script_is_asked_each_time() {
        let root = tempfile::tempdir().unwrap();
        let cache = CacheDirectory::open(root.path().join("cache")).unwrap();
        let program = root.path().join("helm");
        fs::write(&program, "#!/bin/sh\nexec other-helm\n").unwrap();
        assert!(Remembered::of(&program, &cache).is_none());
    }
}
