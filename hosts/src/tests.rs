use std::io::Write;

use super::*;

fn skip(test: &str, wanting: &str) {
    eprintln!("skipped: {test}: {wanting}");
    if let Some(path) = std::env::var_os("CLL_TEST_SKIPS") {
        let mut list = fs::File::options().append(true).create(true).open(path).unwrap();
        writeln!(list, "{test}: {wanting}").unwrap();
    }
}

fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn each_has_a_name_a_network_a_clock_and_a_disk_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("disk");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("below"), "").unwrap();
    let disks = Disks { folder: folder.clone(), sizes: ["1m".to_owned(), "2m".to_owned()] };
    let plan = Plan { ahead_s: 5000, rate: None, disks: Some(disks) };
    let hosts = match Hosts::new(&plan) {
        Ok(hosts) => hosts,
        Err(wanting) => return skip("each_has_its_own", &wanting),
    };
    let mut uptime = [0.0; 2];
    for host in [0, 1] {
        let sh = |line: &str| output_of(hosts.command(host, &folder, "sh").args(["-c", line]));
        assert_eq!(sh("hostname"), hosts.name(host));
        assert!(sh(&format!("ip addr show dev {DEVICE}")).contains(ADDRESSES[host]));
        assert_eq!(sh("pwd; ls"), folder.to_str().unwrap());
        sh(&format!("echo {host} > mine"));
        assert_eq!(sh("cat mine; ls"), format!("{host}\nmine"));
        uptime[host] = sh("cut -d' ' -f1 /proc/uptime").parse().unwrap();
    }
    assert!(uptime[1] - uptime[0] > 4999.0, "{uptime:?}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    let two = output_of(Command::new(hosts.shell()).args(["-x", ADDRESSES[1], "hostname;", "pwd"]));
    assert_eq!(two.lines().next(), Some(hosts.name(1)));
    let pids = hosts.keepers.each_ref().map(Keeper::pid);
    drop(hosts);
    for pid in pids {
        assert!(!Path::new(&format!("/proc/{pid}")).exists());
    }
}
