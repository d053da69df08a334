//! C++ is translated, with a word of warning.

use crate::support::{Place, have};

const SUM: &str = r#"#include <cstdio>
#include <vector>
template <class T> static T sum(const std::vector<T> &v, int N)
{
    T s{};
#pragma cll sum sum[0] + sum[1]*N
    for (auto x : v) s += x;
#pragma cll end sum
    return s;
}
int main()
{
    int N;
    auto one = [](int n) { return sum(std::vector<double>(n, 1.0), n); };
    double s = 0;
#pragma cll for (N = 100; N < 5000; N += N / 2)
    s += one(N);
#pragma cll end for
    std::puts(s > 1'0 ? R"(a "raw" string)" : "");
}
"#;

/// The warnings on standard error.
fn warnings(err: &str) -> Vec<&str> {
    err.lines().filter(|line| line.starts_with("warning: ") && line.contains("C++")).collect()
}

#[test]
fn translate_cc_and_model_translate_it_with_one_warning() {
    if !have("g++", "translate_cc_and_model_translate_it_with_one_warning") {
        return;
    }
    let place = Place::new();
    place.write("sum.cpp", SUM);
    place.write("plain.cc", "int main() { return R\"(#pragma)\"[0] == 0; }\n");
    let done = place.cll(&["translate", "sum.cpp"]).expect(0).prints(&["sum.cll.cpp"]);
    assert_eq!(warnings(&done.err).len(), 1, "{}", done.err);
    let done = place.cll(&["cc", "-c", "-O2", "sum.cpp"]).expect(0);
    assert_eq!(warnings(&done.err).len(), 1, "{}", done.err);
    assert!(done.err.contains("sum.cpp") && done.err.contains("untested"), "{}", done.err);
    place.cll(&["cc", "sum.o", "-o", "sum", "-lstdc++"]).expect(0);
    place.cll(&["run", "./sum"]).expect(0).prints(&["a \"raw\" string"]);
    let exported = place.cll(&["export", "sum.cll.0.dat", "--format", "csv"]).expect(0);
    assert_eq!(exported.out.lines().filter(|line| line.starts_with("sum")).count(), 10);
    assert_eq!(place.cll(&["cc", "-c", "plain.cc"]).expect(0).err, "");
    let done = place.cll(&["model", "sum.cpp", "--launches", "1"]).expect(0);
    assert_eq!(warnings(&done.err).len(), 1, "{}", done.err);
}

#[test]
fn a_file_of_c_is_c_by_its_option_whatever_its_name() {
    let place = Place::with_walk();
    std::fs::rename(place.path("walk.c"), place.path("walk.cc")).unwrap();
    place.cll(&["cc", "-x", "c", "walk.cc", "-o", "walk"]).expect(0);
    let done = place.cll(&["translate", "walk.cc", "--", "-x", "c"]).expect(0);
    assert_eq!(warnings(&done.err), [""; 0]);
    let arguments =
        ["model", "walk.cc", "--vary", "N=1000,2000", "--launches", "1", "--cflags", "-x c"];
    let done = place.cll(&[&arguments[..], &["--", "{N}"]].concat()).expect(0);
    assert_eq!(warnings(&done.err), [""; 0]);
}

/// Functions inside of classes and lambdas are functions all the same.
#[test]
fn what_is_not_known_of_cxx_is_no_fault_of_the_source() {
    let place = Place::new();
    let region = "\n#pragma cll f f[0] + f[1]*n\n    for (int i = 0; i < n; i++) k += i;\n#pragma cll end f\n";
    for (name, source, message) in [
        (
            "member.cc",
            format!("struct A {{ int k; void f(int n) {{{region}}} }};\n"),
            "experiment `f` is in no function that cll knows",
        ),
        (
            "maker.cc",
            format!("struct A {{ int k; A(int n) : k{{n}} {{{region}}} }};\n"),
            "experiment `f` is in no function that cll knows",
        ),
        (
            "lambda.cc",
            format!("int main() {{ int k = 0; auto f = [&](int n) {{{region}}}; f(3); }}\n"),
            "a cll line is in a part of C++ that cll does not know",
        ),
    ] {
        place.write(name, &source);
        let done = place.cll(&["translate", name]).expect(3);
        assert!(done.err.contains(message), "{name}: {}", done.err);
        assert!(
            done.err.contains("functions inside of classes, and lambdas"),
            "{name}: {}",
            done.err
        );
        assert!(!done.err.contains("outside of all functions"), "{name}: {}", done.err);
    }
}
