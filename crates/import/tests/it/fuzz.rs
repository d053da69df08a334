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
        "{\"params\":{\"N\":1},\"callpath\":\"f\",\"metric\":\"time\",\"unit\":\"ms\",\"value\":[2,3]}\n{\"params\":{\"N\":2},\"callpath\":\"f\",\"metric\":\"time\",\"value\":4}\n",
        "{\"parameters\":[\"x\"],\"measurements\":{\"a\":{\"time\":[{\"point\":[1],\"values\":[0.5,1]}]}}}",
        "{\"context\":{},\"benchmarks\":[{\"name\":\"BM/8/n:2\",\"run_type\":\"iteration\",\"real_time\":1,\"cpu_time\":1,\"time_unit\":\"ns\",\"rate\":3}]}",
        "{\"results\":[{\"command\":\"a 1\",\"times\":[1,2],\"exit_codes\":[0,0],\"parameters\":{\"n\":\"1\"}}]}",
        "{\"reason\":\"benchmark-complete\",\"id\":\"a/8\",\"iteration_count\":[1,2],\"measured_values\":[1,2],\"unit\":\"ns\"}",
        "{\"session_info\":{},\"runs\":[{\"testcases\":[{\"display_name\":\"a %n=1\",\"result\":\"pass\",\"perfvalues\":{\"s:p:t\":[1,0,null,null,\"ms\"]}}]}]}",
        "result|name|t_value|t_unit\npass|a %n=1|2|ms\n",
        "__rec=node,id=19,attr=10,data=276,parent=3\n__rec=node,id=20,attr=8,data=region,parent=19\n__rec=node,id=21,attr=20,data=main\n__rec=node,id=15,attr=10,data=65,parent=5\n__rec=node,id=16,attr=8,data=sum#time.duration,parent=15\n__rec=ctx,ref=21,attr=16,data=0.5\n__rec=globals,ref=21\n",
        "name:\n| n | algo | time [ms] |\n|---|---|---|\n| 1 | a | 2 |\n",
        "N\\P,1,2\n10,4,2\n",
        ",time,time\n,mean,std\nN,,\n\"1,000\",0.5,0m1.2s\n2 000,1:30,99%\n",
        "command,mean,stddev,median,user,system,min,max,parameter_n\na 1,1,1,1,1,1,1,1,1\n",
        "{\"parameters\":{\"x\":2};\"metric\":\"time\";\"callpath\":\"a\";\"value\":8.5}\n",
        "{\"callpaths\":[{\"id\":1,\"name\":\"f\"}],\"parameters\":[{\"id\":1,\"name\":\"x\"}],\"metrics\":[{\"id\":1,\"name\":\"time\"}],\"coordinates\":[{\"id\":1,\"parameter_value_pairs\":[{\"parameter_id\":1,\"parameter_value\":2}]}],\"measurements\":[{\"callpath_id\":1,\"coordinate_id\":1,\"metric_id\":1,\"value\":8}]}",
        "{\"machine_info\":{},\"benchmarks\":[{\"name\":\"a[1]\",\"params\":{\"n\":1},\"stats\":{\"median\":2,\"data\":[1,2]}}]}",
        "[{\"benchmark\":\"a\",\"params\":{\"n\":\"1\"},\"primaryMetric\":{\"score\":2,\"scoreUnit\":\"ms/op\",\"rawData\":[[1]]}}]",
        "BenchmarkSort/n=100-8 500 2500 ns/op 16 B/op\n",
        "[{\"N\":1,\"time\":2,\"host\":\"a\"},{\"N\":2,\"time\":null}]",
        "name,pvar,pval,punit\na %n=1,t,2,s\n",
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
        "{",
        "}",
        "[",
        "]",
        ":",
        "null",
        "__rec=",
        "ctx,",
        "parent=",
        "\\",
        "|---|",
    ];
    mutate::mutations(&seeds, &words, test_draw::thinned(0..6000, 3), entry::check);
}
