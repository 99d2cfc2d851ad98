//! The first cause in what helm printed, without its prefixes and the noise around it.

use std::sync::LazyLock;

use regex::Regex;

/// Lines that are no part of an error: helm 4's log, klog, warnings, notices of a pull.
static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:
            (?:time=\S+\s)?level=
          | [IWEF]\d{4}\s\d\d:\d\d
          | WARNING:\s | warning:\s | Warning:\s
          | \S+\.go:\d+:\s(?:[Ww]arning|skipping)
          | \d{4}/\d\d/\d\d\s\d\d:\d\d:\d\d\s
          | Pulled:\s | Digest:\s | Flag\s--\S+\shas\sbeen\sdeprecated
        )",
    )
    .expect("a constant pattern")
});

/// What helm puts before a cause.
static PREFIX: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^(?:
            error:\s
          | (?:installation|upgrade|rollback|uninstallation)\sfailed:\s
          | release\sname\scheck\sfailed:\s
          | cluster\sreachability\scheck\sfailed:\s
          | rendered\smanifests\scontain\sa\sresource\sthat\salready\sexists\.\s
          | unable\sto\scontinue\swith\s(?:install|update):\s
          | unable\sto\sbuild\skubernetes\sobjects\sfrom\s(?:(?:new|current)\s)?release\smanifest:\s
          | failed\sto\sinstall\sCRD\s\S+\s
          | uninstall:\s
          | create:\sfailed\sto\screate:\s
          | failed\sto\screate\sresource:\s
          | \d+\serrors?\soccurred:\s*
          | \*\s
        )",
    )
    .expect("a constant pattern")
});

/// The block from the last `Error:` on; without one, the last lines that are no noise.
pub(super) fn error_block(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().filter(|line| !NOISE.is_match(line)).collect();
    let start = lines.iter().rposition(|line| line.starts_with("Error:"));
    let block = match start {
        Some(start) => &lines[start..],
        None => &lines[lines.len().saturating_sub(3)..],
    };
    strip_prefixes(block.join("\n").trim()).to_owned()
}

fn strip_prefixes(mut text: &str) -> &str {
    while let Some(prefix) = PREFIX.find(text) {
        text = text[prefix.end()..].trim_start();
    }
    text
}

/// The first line that says something.
pub(super) fn first_line(block: &str) -> &str {
    block.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_noise_go() {
        let helm_3 = "W1130 10:00:00.000000 1 reflector.go:1] x\n\
                      coalesce.go:286: warning: cannot overwrite table\n\
                      Error: INSTALLATION FAILED: 1 error occurred:\n\t* pods \"x\" is invalid\n\n";
        assert_eq!(error_block(helm_3), "pods \"x\" is invalid");
        let helm_4 = "level=WARN msg=\"x\"\nlevel=ERROR msg=\"y\"\n\
                      Error: INSTALLATION FAILED: release name check failed: \
                      cannot reuse a name that is still in use\n";
        assert_eq!(error_block(helm_4), "cannot reuse a name that is still in use");
    }

    #[test]
    fn the_last_error_counts_with_its_lines() {
        let text = "Error: first\nmore\nPulled: x\nError: second\n- at '/a': bad\n";
        assert_eq!(error_block(text), "second\n- at '/a': bad");
    }

    #[test]
    fn without_an_error_line_the_end_counts() {
        assert_eq!(error_block("a\nb\nc\nsegfault\n"), "b\nc\nsegfault");
        assert_eq!(error_block("level=INFO msg=x\n"), "");
        assert_eq!(error_block(""), "");
        assert_eq!(first_line("\n  \n x y \nz"), "x y");
    }
}
