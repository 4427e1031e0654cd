//! What threads do over folded time, in words.

use serde::Serialize;

use super::counted;
use crate::folding::{Activity, Doing, Group};
use crate::paint;
use crate::quantity::{extent, percent};

/// What stands over the activity lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ActivitySummary {
    pub keys: Vec<ActivityKey>,
    /// What the lane shows.
    pub hint: String,
    /// The efficiency with its factors, and the lowest point.
    pub words: String,
}

/// Something that threads do, and its colour.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ActivityKey {
    pub name: &'static str,
    /// In the page's style sheet: `hue-N`, `computing` or `rest`.
    pub style: String,
}

/// `None` where it is not known.
pub fn activity(group: &Group) -> Option<ActivitySummary> {
    let activity = group.activity.as_ref().filter(|_| paint::has_activity(group))?;
    let key = |doing: Doing| ActivityKey {
        name: doing.name(),
        style: match (doing, paint::hue(doing)) {
            (_, Some(hue)) => format!("hue-{hue}"),
            (Doing::Computing, None) => "computing".to_owned(),
            (_, None) => "rest".to_owned(),
        },
    };
    let threads = counted(u64::from(activity.threads), "thread");
    Some(ActivitySummary {
        keys: activity.parts.iter().map(|part| key(part.doing)).collect(),
        hint: format!("share of {threads}; the edge is the parallel efficiency"),
        words: words(group, activity),
    })
}

/// `Efficiency 91.2 %: load balance 93.1 % × communication 98.0 %. Lowest at 310 ms: 22.0 %,
/// MPI_Allreduce · 214 (lulesh.cc).`
pub fn words(group: &Group, activity: &Activity) -> String {
    let factors = [activity.efficiency, activity.load_balance, activity.communication];
    let [efficiency, balance, communication] = factors.map(|share| percent(share, 1));
    let lowest = activity.lowest.as_ref().map(|lowest| {
        let call = lowest.call.as_ref().map(|call| format!(", {call}")).unwrap_or_default();
        let (at, share) = (extent(group, lowest.at), percent(lowest.computing, 1));
        format!(" Lowest at {at}: {share}{call}.")
    });
    format!(
        "Efficiency {efficiency}: load balance {balance} × communication {communication}.{}",
        lowest.unwrap_or_default()
    )
}

/// Of a moment: the share that computes, and what the others do.
pub fn at(group: &Group, x: f64) -> Option<[String; 3]> {
    let activity = group.activity.as_ref().filter(|_| paint::has_activity(group))?;
    let (computing, others): (Vec<_>, Vec<_>) =
        activity.at(x).partition(|(doing, _)| *doing == Doing::Computing);
    let share = computing.first().map_or(0.0, |(_, share)| *share);
    let other = |(doing, share): &(Doing, f64)| format!("{} {}", percent(*share, 1), doing.name());
    let others = others.iter().map(other).collect::<Vec<_>>().join(", ");
    Some(["Useful".to_owned(), percent(share, 1), others])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Axis, example};

    #[test]
    fn efficiency_its_factors_and_the_lowest_point_are_told() {
        let group = Group { axis: Axis::Time, ..example::folding(1).groups.remove(0) };
        let summary = activity(&group).unwrap();
        let told = summary.words.replace('\u{202f}', "_");
        assert_eq!(
            told,
            "Efficiency 56.2_%: load balance 75.0_% × communication 75.0_%. Lowest at 1.31_ms: \
             12.5_%, MPI_Allreduce · 214 (a.c)."
        );
        let keys = summary.keys.iter().map(|key| (key.name, key.style.as_str()));
        let expected = [
            ("computing", "computing"),
            ("MPI point-to-point", "hue-6"),
            ("MPI collective", "hue-9"),
        ];
        assert_eq!(keys.collect::<Vec<_>>(), expected);
        assert!(summary.hint.contains("4 threads"), "{}", summary.hint);
        assert_eq!(activity(&Group::default()), None);
    }

    #[test]
    fn a_moment_tells_what_computes_and_what_the_others_do() {
        let group = &example::folding(1).groups[0];
        let told = at(group, 0.55).unwrap().map(|text| text.replace('\u{202f}', "_"));
        let others = "12.5_% MPI point-to-point, 37.5_% MPI collective";
        assert_eq!(told, ["Useful", "50.0_%", others]);
        assert_eq!(at(group, 0.0).unwrap()[2], "");
    }
}
