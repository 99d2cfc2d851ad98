//! The help: verbs in groups, examples, and what replaces each question without a terminal.

mod fit;

use clap::Command as Clap;

/// The groups of the help, each with its verbs in order.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Catalog", &["catalog"]),
    ("Instances", &["create", "list", "show", "connect", "wait", "update", "upgrade", "delete"]),
    ("Bindings", &["bind", "unbind", "bindings"]),
    ("Tool", &["doctor", "completion", "class", "help"]),
];

/// What `svc` alone prints.
pub fn overview(program: &str, width: usize) -> String {
    let rows = [
        ("catalog", "what can I have"),
        ("create mydb --class postgres", "get one"),
        ("list", "what do I have"),
        ("show mydb", "how do I connect"),
        ("delete mydb", "give it back"),
    ];
    let column = program.len() + 1 + "create mydb --class postgres".len() + 4;
    let rows =
        rows.map(|(verb, meaning)| format!("  {:<column$}{meaning}", format!("{program} {verb}")));
    let more = [
        format!("All commands: {program} --help"),
        format!("Something is wrong: {program} doctor"),
    ];
    let on_one_line = more.join("       ");
    let more = if on_one_line.len() <= width { on_one_line } else { more.join("\n") };
    let text = format!(
        "Databases, queues and other services from your cluster's catalog\n\n{}\n\n{more}\n",
        rows.join("\n")
    );
    fit::text(&text, width)
}

/// Adds the grouped help and what `--help` of each verb says beyond `-h`.
pub fn add(clap: Clap) -> Clap {
    let groups = grouped(&clap);
    let template =
        format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}");
    clap.help_template(template).mut_subcommands(|verb| match long_help(verb.get_name()) {
        Some(text) => verb.after_long_help(text.replace(' ', UNBROKEN)),
        None => verb,
    })
}

/// A space at which clap breaks no line: examples are commands to paste.
const UNBROKEN: &str = "\u{a0}";

/// A rendered help as text of that width, without spaces at the ends of lines and without the dots
/// that clap puts behind a flag that is counted.
pub fn text(rendered: &clap::builder::StyledStr, width: usize) -> String {
    let text = rendered.to_string().replace("--verbose...", "--verbose   ").replace(UNBROKEN, " ");
    fit::text(&text, width)
}

fn grouped(clap: &Clap) -> String {
    let width = clap.get_subcommands().map(|verb| verb.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, verbs) in GROUPS {
        text.push_str(heading);
        text.push_str(":\n");
        for verb in verbs.iter().filter_map(|verb| clap.find_subcommand(verb)) {
            text.push_str(&row(verb, width));
        }
        text.push('\n');
    }
    text
}

fn row(verb: &Clap, width: usize) -> String {
    let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
    let aliases: Vec<&str> = verb.get_visible_aliases().collect();
    let alias = match aliases.as_slice() {
        [] => String::new(),
        aliases => format!(" [alias: {}]", aliases.join(", ")),
    };
    format!("  {:<width$}  {about}{alias}\n", verb.get_name())
}

const UPDATE: &str = "Examples:\n  svc update mydb\n  svc update mydb --set max-connections=200 --unset metrics\n  \
             svc update mydb --plan medium --dry-run\n  svc update mydb --retry\n\n\
             Without a terminal:\n  \
             parameters   --set, --set-env, --set-file, --unset, --plan or --retry\n";

const UPGRADE: &str = "Examples:\n  svc upgrade mydb\n  svc upgrade mydb --dry-run\n  \
             svc upgrade mydb --yes --set owner=team-a\n\n\
             Without a terminal:\n  \
             new parameters   --set, --set-env, --set-file\n  \
             Upgrade …?       --yes\n";

fn long_help(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "catalog" => {
            "Examples:\n  svc catalog\n  svc catalog postgres\n  svc catalog --tag database -o name\n"
        }
        "create" => {
            "Examples:\n  svc create\n  svc create mydb --class postgres\n  \
             svc create mydb -c postgres -p small --set database=orders\n  \
             svc create mydb -f mydb.yaml --set-env admin-password=ADMIN_PW\n\n\
             Without a terminal:\n  \
             class        --class, or class: in the answers file\n  \
             name         NAME\n  \
             plan         --plan; else the default plan\n  \
             parameters   --set, --set-env, --set-file, --answers; else their defaults\n  \
             Create …?    not asked: what was typed is done\n"
        }
        "list" => {
            "Examples:\n  svc list\n  svc list -A --state ready -o wide\n  svc list --class postgres -o name\n"
        }
        "show" => {
            "Examples:\n  svc show mydb\n  svc show mydb username password\n  svc show mydb -o uri\n  \
             eval \"$(svc show mydb -o env)\"\n  svc show mydb -o dotenv > .env\n"
        }
        "wait" => "Examples:\n  svc wait mydb\n  svc wait mydb --for deleted --timeout 2m\n",
        "update" => UPDATE,
        "upgrade" => UPGRADE,
        "delete" => {
            "Examples:\n  svc delete mydb\n  svc delete mydb --delete-data\n  svc delete mydb cache --yes\n\n\
             Without a terminal:\n  \
             Delete …?    --yes\n  \
             Type NAME    --yes with --delete-data or --keep-data\n"
        }
        "completion" => {
            "Examples:\n  source <(svc completion bash)\n  svc completion zsh > \"${fpath[1]}/_svc\"\n  \
             svc completion fish > ~/.config/fish/completions/svc.fish\n"
        }
        "class" => {
            "Examples:\n  svc class crd | kubectl apply --server-side -f -\n  \
             svc class policy | kubectl apply --server-side -f -\n  \
             svc class init > postgres.yaml\n  svc class lint postgres.yaml\n"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use console::measure_text_width;

    #[test]
    fn what_is_no_command_fits_narrow_terminals() {
        for width in [40, 60] {
            let mut clap = crate::cli::parse::command("svc", width);
            clap.build();
            let mut texts = vec![overview("svc", width), text(&clap.render_long_help(), width)];
            let verbs = clap.get_subcommands_mut();
            texts.extend(verbs.map(|verb| text(&verb.render_long_help(), width)));
            for line in texts.iter().flat_map(|text| text.lines()) {
                let is_command = ["svc ", "eval ", "source "]
                    .iter()
                    .any(|word| line.trim_start().starts_with(word));
                assert!(is_command || measure_text_width(line) <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn every_verb_is_in_a_group() {
        let clap = crate::cli::Cli::command();
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        let verbs: Vec<&str> = clap.get_subcommands().map(Clap::get_name).collect();
        assert_eq!(grouped.len(), verbs.len());
        assert!(verbs.iter().all(|verb| grouped.contains(verb)), "{verbs:?}");
    }
}
