use crate::folding::RegionKind;

/// What a region is called beside its pictures: `main` of `User function:main`. A value that is a number or
/// any keeps its type, and so does what was found to repeat: `Cluster 1, after MPI_Send`.
pub fn title(region: &str, kind: RegionKind) -> String {
    // Letters beyond ASCII are taken as such without the tables of all of them.
    let is_name =
        |value: &str| value.bytes().any(|byte| byte.is_ascii_alphabetic() || byte >= 0x80);
    let value = region.split_once(':').map(|(_, value)| value.trim_start());
    match (kind, value) {
        (RegionKind::Events, Some(value)) if is_name(value) => value.to_owned(),
        (RegionKind::Events, _) | (_, None) => region.to_owned(),
        (RegionKind::Iteration | RegionKind::Cluster | RegionKind::Burst, Some(_)) => {
            region.replacen(": ", ", ", 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_called_by_its_value_where_that_says_something_alone() {
        for (region, kind, expected) in [
            ("User function:main", RegionKind::Events, "main"),
            ("User function:a::b", RegionKind::Events, "a::b"),
            ("User function:\u{fc}ber", RegionKind::Events, "\u{fc}ber"),
            ("Cluster ID:3", RegionKind::Events, "Cluster ID:3"),
            ("MPI call:*", RegionKind::Events, "MPI call:*"),
            ("Iteration", RegionKind::Events, "Iteration"),
            ("Iteration: from MPI_Send", RegionKind::Iteration, "Iteration, from MPI_Send"),
            ("Cluster 1: 149.1 ms", RegionKind::Cluster, "Cluster 1, 149.1 ms"),
            ("Burst:*", RegionKind::Burst, "Burst:*"),
            ("", RegionKind::Cluster, ""),
        ] {
            assert_eq!(title(region, kind), expected);
        }
    }
}
