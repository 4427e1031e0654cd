/// Cluster of each of the increasing `values`, from 0: a new one begins where the step from the
/// value before is wider than a bucket.
///
/// Buckets are a quarter of the values, at most 100, over the whole range, in whole units. Fewer
/// than 8 values are one cluster.
///
/// Source: Folding 1.4.2, grouping of instances "auto".
pub fn gaps(values: &[u64]) -> Vec<u32> {
    let range = match (values.first(), values.last()) {
        (Some(first), Some(last)) if values.len() >= 8 => last - first,
        _ => return vec![0; values.len()],
    };
    let bucket = range / (values.len() as u64 / 4).min(100);
    let mut cluster = 0;
    let wide = |pair: &[u64]| matches!(pair, [before, value] if value - before > bucket);
    let following = values.windows(2).map(|pair| {
        cluster += u32::from(wide(pair));
        cluster
    });
    std::iter::once(0).chain(following.collect::<Vec<_>>()).collect()
}

/// Cluster of each of the increasing `values`, from 1, or 0 for noise: DBSCAN in one dimension.
///
/// A value is core if at least `min_points` values, itself counted, lie within `eps` of it; core
/// values within `eps` of one another share a cluster; another value joins the nearest core within
/// `eps`, the lower of two alike. With `eps` 0 only equal values cluster. O(n).
///
/// Source: Ester et al. 1996.
pub fn dbscan(values: &[f64], min_points: usize, eps: f64) -> Vec<u32> {
    let core = core(values, min_points, eps);
    let mut clusters = vec![0; values.len()];
    let (mut cluster, mut last_core) = (0, None);
    for (index, &value) in values.iter().enumerate().filter(|(index, _)| core[*index]) {
        let joined = last_core.is_some_and(|last: f64| value - last <= eps);
        cluster += u32::from(!joined);
        last_core = Some(value);
        clusters[index] = cluster;
    }
    let below = nearest_core(values.iter().zip(&clusters));
    let above = nearest_core(values.iter().zip(&clusters).rev());
    for (index, &value) in values.iter().enumerate().filter(|(index, _)| !core[*index]) {
        let reach = |found: Option<(f64, u32)>| {
            found.map(|(at, cluster)| ((value - at).abs(), cluster)).filter(|(d, _)| *d <= eps)
        };
        let up = reach(above[values.len() - 1 - index]);
        clusters[index] = match (reach(below[index]), up) {
            (Some((d, cluster)), Some((e, _))) if d <= e => cluster,
            (_, Some((_, cluster))) | (Some((_, cluster)), None) => cluster,
            (None, None) => 0,
        };
    }
    clusters
}

fn core(values: &[f64], min_points: usize, eps: f64) -> Vec<bool> {
    let (mut first, mut end) = (0, 0);
    let mut is_core = Vec::with_capacity(values.len());
    for &value in values {
        // By differences, as distances are: a sum may round across eps.
        while value - values[first] > eps {
            first += 1;
        }
        while end < values.len() && values[end] - value <= eps {
            end += 1;
        }
        is_core.push(end - first >= min_points);
    }
    is_core
}

/// For each value in turn, the last core value met up to it, with its cluster.
fn nearest_core<'a>(values: impl Iterator<Item = (&'a f64, &'a u32)>) -> Vec<Option<(f64, u32)>> {
    let mut last = None;
    values
        .map(|(&value, &cluster)| {
            last = if cluster > 0 { Some((value, cluster)) } else { last };
            last
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_wider_than_a_bucket_begins_a_cluster() {
        assert_eq!(gaps(&[1, 2, 3, 4, 5, 6, 7, 100]), [0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(
            gaps(&[0, 1, 1, 2, 3, 50, 51, 52, 53, 54, 55, 99]),
            [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]
        );
    }

    #[test]
    fn fewer_than_eight_values_or_equal_ones_are_one_cluster() {
        assert_eq!(gaps(&[1, 2, 3, 4, 5, 6, 100]), [0; 7]);
        assert_eq!(gaps(&[5; 12]), [0; 12]);
        assert_eq!(gaps(&[]), [0u32; 0]);
    }

    #[test]
    fn dbscan_leaves_noise_and_gives_borders_to_the_nearest_core() {
        let values = [0.0, 1.0, 2.0, 2.9, 5.0, 9.0, 10.0, 11.0];
        assert_eq!(dbscan(&values, 3, 1.0), [1, 1, 1, 1, 0, 2, 2, 2]);
        assert_eq!(dbscan(&values, 9, 1.0), [0; 8]);
        assert_eq!(dbscan(&[], 3, 0.1), [0u32; 0]);
    }

    #[test]
    fn equal_values_are_one_cluster() {
        assert_eq!(dbscan(&[0.5; 4], 3, 0.0), [1; 4]);
        assert_eq!(dbscan(&[0.1, 0.5, 0.5, 0.5, 0.7, 0.7], 3, 0.0), [0, 1, 1, 1, 0, 0]);
    }
}
