//! Two hosts with a slow link: network namespaces, whose cable lets through so much a second.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

const ADDRESSES: [&str; 2] = ["10.231.78.1", "10.231.78.2"];

/// Goes with the value.
pub struct Link {
    names: [String; 2],
}

fn is_well(program: &str, words: &str) -> bool {
    let output = Command::new(program).args(words.split_whitespace()).output();
    output.is_ok_and(|output| output.status.success())
}

impl Link {
    /// A link of this rate (as `tc` reads it), where it can be made.
    pub fn new(rate: &str) -> Option<Link> {
        if !is_well("mpirun.openmpi", "--version") {
            return None;
        }
        let names = [1, 2].map(|end| format!("cllstory{}h{end}", std::process::id()));
        let link = Link { names };
        let [one, two] = &link.names;
        let mut steps = vec![
            format!("netns add {one}"),
            format!("netns add {two}"),
            format!("link add eth1 netns {one} type veth peer name eth1 netns {two}"),
        ];
        for (name, address) in link.names.iter().zip(ADDRESSES) {
            steps.push(format!("-n {name} addr add {address}/24 dev eth1"));
            steps.push(format!("-n {name} link set eth1 up"));
            steps.push(format!("-n {name} link set lo up"));
        }
        let slow = |name: &String| {
            let shape = format!(
                "-n {name} qdisc add dev eth1 root tbf rate {rate} burst 32kbit latency 400ms"
            );
            is_well("tc", &shape)
        };
        let made = steps.iter().all(|step| is_well("ip", step)) && link.names.iter().all(slow);
        made.then_some(link)
    }

    /// A launcher in the place of Open MPI's, which puts processes on both hosts. It binds none: both hosts have
    /// the same cores.
    pub fn launcher(&self, folder: &Path) -> Result<PathBuf> {
        let [one, two] = &self.names;
        let [first, second] = ADDRESSES;
        let shell = folder.join("on-host");
        let text = format!(
            "#!/bin/sh\nwhile [ \"${{1#-}}\" != \"$1\" ]; do shift; done\n\
             case \"$1\" in {first}) host={one} ;; *) host={two} ;; esac\nshift\n\
             exec ip netns exec $host unshare --uts sh -c \"hostname $host; $*\"\n"
        );
        write(&shell, &text)?;
        let launcher = folder.join("mpirun.openmpi");
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exec mpirun.openmpi --version\n\
             exec ip netns exec {one} unshare --uts sh -c 'hostname {one}; exec \"$@\"' sh \
             mpirun.openmpi --host {first}:8,{second}:8 --map-by node --bind-to none --mca plm_rsh_agent {} \
             --mca btl self,vader,tcp --mca btl_tcp_if_include eth1 --mca oob_tcp_if_include eth1 \
             -x XDG_CACHE_HOME \"$@\"\n",
            shell.display()
        );
        write(&launcher, &text)?;
        Ok(launcher)
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

impl Drop for Link {
    fn drop(&mut self) {
        for name in &self.names {
            is_well("ip", &format!("netns del {name}"));
        }
    }
}
