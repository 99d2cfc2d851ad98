//! The tables of interface §3, §8, §12.

use console::measure_text_width;

use super::*;

const TERMINAL: Page = Page { terminal: true, width: 80, utf8: true, colour: false };

fn catalog() -> Table {
    let mut table = Table::new(["NAME", "STATUS", "PLANS", "SUMMARY"]);
    table
        .row(["kafka", "available", "small, large", "One broker for development"])
        .row(["mysql-8", "deprecated", "small, medium", "use mysql-9: security fixes have ended"])
        .row([
            "postgres",
            "available",
            "small, medium, large",
            "Disposable PostgreSQL for development",
        ])
        .row(["rabbitmq", "broken", "-", "detail uri: \"pasword\" is not defined"])
        .row(["redis", "available", "small", "Redis without persistence"])
        .row([
            "zipcodes",
            "shared",
            "-",
            "Postal codes of all countries, read only and free of charge",
        ]);
    table
}

fn list() -> Table {
    let mut table = Table::new(["NAME", "CLASS", "PLAN", "STATE", "AGE", "NOTE"]);
    table
        .row(["api-db", "postgres", "medium", "ready", "12d", "outdated: svc upgrade api-db"])
        .row(["cache", "redis", "small", "starting", "40s", "Pod cache-redis-0: pulling image"])
        .row(["events", "kafka", "small", "deleting", "1m", ""])
        .row(["mydb", "postgres", "small", "ready", "3d", ""])
        .row(["old", "mysql-8", "small", "degraded", "210d", "Pod old-mysql-0: crashed 14 times"])
        .row(["reports", "postgres", "large", "interrupted", "2h", "svc create reports --retry"]);
    table
}

#[test]
fn the_catalog_on_a_terminal() {
    let expected = "\
NAME      STATUS      PLANS                 SUMMARY
kafka     available   small, large          One broker for development
mysql-8   deprecated  small, medium         use mysql-9: security fixes have en…
postgres  available   small, medium, large  Disposable PostgreSQL for developme…
rabbitmq  broken      -                     detail uri: \"pasword\" is not defined
redis     available   small                 Redis without persistence
zipcodes  shared      -                     Postal codes of all countries, read…
";
    assert_eq!(catalog().render(&TERMINAL), expected);
}

#[test]
fn nothing_is_cut_off_a_terminal() {
    let text = catalog().render(&Page { width: 20, ..Page::PLAIN });
    let line = "postgres  available   small, medium, large  Disposable PostgreSQL for development";
    assert_eq!(text.lines().nth(3), Some(line));
}

#[test]
fn the_list_on_a_terminal() {
    let expected = "\
NAME     CLASS     PLAN    STATE        AGE  NOTE
api-db   postgres  medium  ready        12d  outdated: svc upgrade api-db
cache    redis     small   starting     40s  Pod cache-redis-0: pulling image
events   kafka     small   deleting      1m
mydb     postgres  small   ready         3d
old      mysql-8   small   degraded    210d  Pod old-mysql-0: crashed 14 times
reports  postgres  large   interrupted   2h  svc create reports --retry
";
    assert_eq!(list().render(&TERMINAL), expected);
    assert_eq!(list().render(&Page::PLAIN), expected);
}

#[test]
fn the_wide_list() {
    let mut table =
        Table::new(["NAMESPACE", "NAME", "CLASS", "PLAN", "STATE", "AGE", "REVISION", "CHART"]);
    table
        .row(["team-a", "api-db", "postgres", "medium", "ready", "12d", "4", "postgresql 16.1.0"])
        .row(["team-b", "queue", "kafka", "large", "ready", "9d", "2", "kafka 32.4.4"]);
    let expected = "\
NAMESPACE  NAME    CLASS     PLAN    STATE  AGE  REVISION  CHART
team-a     api-db  postgres  medium  ready  12d  4         postgresql 16.1.0
team-b     queue   kafka     large   ready   9d  2         kafka 32.4.4
";
    assert_eq!(table.render(&TERMINAL), expected);
}

#[test]
fn bindings_and_parameters() {
    let mut bindings = Table::new(["BINDING", "CLASS", "STATE", "AGE"]);
    bindings.row(["mydb/api", "postgres", "ready", "3d"]).row([
        "zipcodes/api",
        "zipcodes",
        "ready",
        "9d",
    ]);
    let expected = "\
BINDING       CLASS     STATE  AGE
mydb/api      postgres  ready   3d
zipcodes/api  zipcodes  ready   9d
";
    assert_eq!(bindings.render(&TERMINAL), expected);
    let expected = "\
PARAMETER        TYPE      DEFAULT     ALLOWED                  MEANING
database         string    required    1-63 of a-z 0-9 _        First database
storage !        quantity  8Gi         1Gi to 100Gi             Disk size
mode             string    standalone  standalone, replication  Topology
max-connections  integer   100         20 to 1000               Connections
";
    assert_eq!(parameters().render(&TERMINAL), expected);
}

#[test]
fn narrow_terminals_lose_whole_columns() {
    let head = |table: &Table, width| {
        let text = table.render(&Page { width, ..TERMINAL });
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(head(&catalog(), 56), "NAME      STATUS      PLANS                 SUMMARY");
    assert_eq!(head(&catalog(), 55), "NAME      STATUS      SUMMARY");
    assert_eq!(head(&list(), 56), "NAME     CLASS     PLAN    STATE        NOTE");
    assert_eq!(head(&list(), 51), "NAME     CLASS     STATE        NOTE");
    assert_eq!(head(&list(), 36), "NAME     CLASS     STATE        NOTE");
    assert_eq!(head(&list(), 35), "NAME     CLASS     STATE", "nothing of it could be read");
}

fn parameters() -> Table {
    let mut parameters = Table::new(["PARAMETER", "TYPE", "DEFAULT", "ALLOWED", "MEANING"]);
    parameters
        .row(["database", "string", "required", "1-63 of a-z 0-9 _", "First database"])
        .row(["storage !", "quantity", "8Gi", "1Gi to 100Gi", "Disk size"])
        .row(["mode", "string", "standalone", "standalone, replication", "Topology"])
        .row(["max-connections", "integer", "100", "20 to 1000", "Connections"]);
    parameters
}

#[test]
fn parameters_on_narrow_terminals_keep_what_is_allowed() {
    let text = |width| parameters().render(&Page { width, ..TERMINAL });
    let sixty = "\
PARAMETER        DEFAULT     ALLOWED
database         required    1-63 of a-z 0-9 _
storage !        8Gi         1Gi to 100Gi
mode             standalone  standalone, replication
max-connections  100         20 to 1000
";
    assert_eq!(text(60), sixty);
    let forty = "\
PARAMETER        ALLOWED
database         1-63 of a-z 0-9 _
storage !        1Gi to 100Gi
mode             standalone, replication
max-connections  20 to 1000
";
    assert_eq!(text(40), forty);
}

#[test]
fn wide_lists_lose_columns_too() {
    let mut wide = Table::new(["NAME", "STATUS", "PLANS", "CHART", "TAGS", "SUMMARY"]);
    let summary = "Disposable PostgreSQL for development";
    wide.row(["postgres", "available", "small", "postgresql 16.2.1", "database, sql", summary]);
    let head = |width| {
        let text = wide.render(&Page { width, ..TERMINAL });
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(head(60), "NAME      STATUS     CHART              SUMMARY");
    assert_eq!(head(40), "NAME      STATUS     SUMMARY");
}

#[test]
fn the_first_column_stays_and_the_last_is_cut() {
    let mut plans = Table::new(["PLAN", "SUMMARY"]);
    plans.row(["a-very-long-name-of-a-plan *", "1 GiB memory, no backups"]);
    let text = plans.render(&Page { width: 36, ..TERMINAL });
    let head = format!("{:<30}SUMMA…\n", "PLAN");
    assert_eq!(text, head + "a-very-long-name-of-a-plan *  1 GiB…\n");
}

#[test]
fn every_line_fits_a_terminal_of_forty_columns() {
    for table in [catalog(), list()] {
        let text = table.render(&Page { width: 40, ..TERMINAL });
        assert!(text.lines().all(|line| measure_text_width(line) <= 40), "{text}");
        assert!(text.contains("deprecated") || text.contains("interrupted"), "{text}");
    }
}

#[test]
fn colours_do_not_move_columns_and_cluster_text_stays_harmless() {
    let mut table = Table::new(["NAME", "STATE", "NOTE"]);
    table.row(["mydb", "ready", "a\x1b[2J\u{2061}b"]).row(["x", "failed", ""]);
    let plain = table.render(&TERMINAL);
    let coloured = table.render(&Page { colour: true, ..TERMINAL });
    assert_eq!(console::strip_ansi_codes(&coloured), plain);
    assert!(plain.contains("a\\x1b[2J\\u2061b"), "{plain}");
    assert!(coloured.contains("\x1b[32mready\x1b[0m") && coloured.contains("\x1b[31mfailed"));
}
