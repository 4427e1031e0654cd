//! Which of many source files a trace means by a name.

/// The files, as indices into `paths`, that may be the `file` of a trace, in order; all of them fit
/// equally well. Folders count from the end, as those of a trace may be of another computer, and
/// another case of the letters is better than nothing. O(paths).
pub fn best_named<Path: AsRef<str>>(paths: &[Path], file: &str) -> Vec<usize> {
    let name = name_of(file);
    let is_named = |path: &str| name_of(path).eq_ignore_ascii_case(name);
    let fit =
        |path: &str| is_named(path).then(|| (name_of(path) == name, common_parts(path, file)));
    let fits: Vec<_> = paths.iter().map(|path| fit(path.as_ref())).collect();
    let Some(best) = fits.iter().max().copied().flatten() else { return vec![] };
    (0..paths.len()).filter(|index| fits[*index] == Some(best)).collect()
}

/// The last part of a path of any system.
fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// How many parts of two paths are the same, from the end.
fn common_parts(a: &str, b: &str) -> usize {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.rsplit(['/', '\\']).filter(|part| !part.is_empty() && *part != ".");
        parts.map(str::to_owned).collect()
    };
    parts(a).iter().zip(&parts(b)).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_meant_by_its_name_and_among_several_by_its_folders() {
        let paths =
            ["a/x/solve.c", "a/y/solve.c", "README", "b/Other.c", "SOLVE.C", "./z/../z/main.c"];
        let meant = |file| -> Vec<_> {
            best_named(&paths, file).into_iter().map(|index| paths[index]).collect()
        };
        assert_eq!(meant("solve.c"), ["a/x/solve.c", "a/y/solve.c"]);
        assert_eq!(meant("/home/me/y/solve.c"), ["a/y/solve.c"]);
        assert_eq!(meant("C:\\src\\x\\solve.c"), ["a/x/solve.c"]);
        assert_eq!(meant("other.c"), ["b/Other.c"], "another case is better than nothing");
        assert_eq!(meant("./z/./main.c"), ["./z/../z/main.c"]);
        assert_eq!(meant("olve.c"), [""; 0]);
        assert_eq!(meant(""), [""; 0]);
    }
}
