//! What a run repeats, and how well it uses its threads, as tables.

use super::table::{field, or_empty};
use crate::instance::CatalogueRow;
use crate::run::{Burst, Cluster, Clusters, Passes, Repeats, work};
use crate::text::shortest;
use crate::trace::Trace;

/// `region,alias,group,instances,samples,readings,mean_ms,median_ms,mips,share`: a line for each region that
/// can be folded, in their order; `mips` is empty where nothing tells.
pub fn regions(rows: &[CatalogueRow]) -> String {
    let mut text =
        "region,alias,group,instances,samples,readings,mean_ms,median_ms,mips,share\n".to_owned();
    for row in rows {
        text += &line(&[
            field(&row.region),
            or_empty(row.alias.as_deref().map(field)),
            row.group.to_string(),
            row.instances.to_string(),
            row.samples.to_string(),
            row.readings.to_string(),
            shortest(row.mean_ms),
            shortest(row.median_ms),
            or_empty(row.mips.map(shortest)),
            shortest(row.share),
        ]);
    }
    text
}

/// `application,task,thread,begin_ns,end_ns,cluster,instructions,cycles`: a line for each burst of
/// which `clusters` are, in their order. The cluster is empty of a burst in none, the rest where it
/// is not known.
pub fn bursts(trace: &Trace, clusters: &Clusters, bursts: &[Burst]) -> String {
    let mut text =
        "application,task,thread,begin_ns,end_ns,cluster,instructions,cycles\n".to_owned();
    for ((at, burst), work) in (0..).zip(bursts).zip(work(trace, bursts)) {
        let cluster = Some(clusters.of(at)).filter(|number| *number > 0);
        text += &line(&[
            object(trace, burst.thread),
            burst.begin_ns.to_string(),
            burst.end_ns.to_string(),
            or_empty(cluster),
            or_empty(work.map(|work| work.instructions)),
            or_empty(work.map(|work| work.cycles)),
        ]);
    }
    text
}

/// `region,name,bursts,threads,per_thread_min,per_thread_max,total_ns,mean_ns,median_ns,shortest_ns,`
/// `longest_ns,share,share_of_bursts,instructions,ipc`: a line for each cluster, then one for each
/// call beside which many bursts are in no cluster, without a region. Shares are of 1; instructions
/// are per burst.
pub fn clusters(clusters: &Clusters) -> String {
    let mut text = "region,name,bursts,threads,per_thread_min,per_thread_max,total_ns,mean_ns,\
                    median_ns,shortest_ns,longest_ns,share,share_of_bursts,instructions,ipc\n"
        .to_owned();
    for cluster in &clusters.clusters {
        text += &of_cluster(cluster);
    }
    for call in &clusters.calls {
        let [name, bursts] = [field(&call.name), call.bursts.to_string()];
        let (total, share) = (call.time_ns, shortest(call.share_of_threads));
        text += &format!(",{name},{bursts},,,,{total},,,,,{share},,,\n");
    }
    text
}

fn of_cluster(cluster: &Cluster) -> String {
    let Cluster { per_thread, range_ns, .. } = cluster;
    line(&[
        format!("Cluster:{}", cluster.number),
        field(&cluster.name),
        cluster.bursts.to_string(),
        cluster.threads.to_string(),
        per_thread.0.to_string(),
        per_thread.1.to_string(),
        cluster.time_ns.to_string(),
        shortest(cluster.mean_ns),
        cluster.median_ns.to_string(),
        range_ns.0.to_string(),
        range_ns.1.to_string(),
        shortest(cluster.share_of_threads),
        shortest(cluster.share_of_bursts),
        or_empty(cluster.instructions.map(shortest)),
        or_empty(cluster.ipc.map(shortest)),
    ])
}

/// `region,name,inner,application,task,thread,pass,begin_ns,end_ns,end_is_estimated`: a line for each
/// pass of each rank, numbered from 1, of one level after the other.
pub fn iterations(trace: &Trace, repeats: &Repeats) -> String {
    let mut text = "region,name,inner,application,task,thread,pass,begin_ns,end_ns,\
                    end_is_estimated\n"
        .to_owned();
    for (number, level) in (1..).zip(&repeats.levels) {
        let about = [format!("Iteration:{number}"), field(&repeats.name(level)), yes(level.inner)];
        for passes in &level.ranks {
            text += &of_rank(trace, repeats, &about.join(","), passes);
        }
    }
    text
}

fn of_rank(trace: &Trace, repeats: &Repeats, about: &str, passes: &Passes) -> String {
    let thread = repeats.sites.calls.get(passes.rank as usize).map(|(thread, _)| *thread);
    let object = thread.map(|thread| object(trace, thread)).unwrap_or_default();
    let last = passes.instances_ns.len();
    let pass = |(number, (begin_ns, end_ns)): (usize, &(u64, u64))| {
        let is_estimated = yes(passes.last_is_estimated && number == last);
        format!("{about},{object},{number},{begin_ns},{end_ns},{is_estimated}\n")
    };
    (1..).zip(&passes.instances_ns).map(pass).collect()
}

fn object(trace: &Trace, thread: u32) -> String {
    let of = trace.threads.get(thread as usize).map(|thread| thread.object);
    of.map_or(",,".to_owned(), |of| format!("{},{},{}", of.application, of.task, of.thread))
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

fn line(fields: &[String]) -> String {
    fields.join(",") + "\n"
}
