//! The fuzz target `import` on mutations of good inputs.

#[path = "../../../../fuzz/src/import.rs"]
mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

#[test]
fn any_bytes_are_read() {
    let seeds: Vec<Vec<u8>> = [
        "N,P,time [ms]\n64,1,0.5\n128,1,1e3\n\"256\",2,nan\n",
        "N;time\r\n1000;0,5\r\n2000;1,125\r\n",
        "# N time\n1 2\n3 4\n",
        "host|N|elapsed_us\na1|1|2\nb2|2|\n",
        "PARAMETER p n\nPOINTS (4 10) (8 10)\nREGION main\nMETRIC time\nDATA 1 2\nDATA 3\nMETRIC bytes\nDATA 7\nDATA 0\n",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    let words = [
        "N",
        "time",
        "[ms]",
        "(us)",
        "_ns",
        ",",
        ";",
        "\t",
        "|",
        "\"",
        "\n",
        "\r",
        "#",
        "1,5",
        "1.5",
        "1,000",
        "nan",
        "inf",
        "-",
        "1e999",
        "PARAMETER ",
        "POINTS ",
        "REGION ",
        "METRIC ",
        "DATA ",
        "\u{FEFF}",
    ];
    mutate::mutations(&seeds, &words, 6000, entry::check);
}
