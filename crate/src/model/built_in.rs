//! The models that come with Tracefold: the files of `static/models` as they were read once, a line
//! for each model and after it one for each of its components, fields apart by tabs. A test compares
//! the two, and writes the lines again where a file was changed.

use super::component::{Axis, Component, Model};
use super::polish;

/// What every trace loads is 25 kB smaller, gzipped, than with a reader of XML and eleven files for it.
const LINES: &str = include_str!("built_in.tsv");

/// The models that come with Tracefold. Each file says what its formulas are, where they are from
/// and in what they differ from those of the reference tool.
pub fn built_in() -> Vec<Model> {
    let mut models: Vec<Model> = Vec::new();
    for line in LINES.lines() {
        let fields = line.split('\t').collect::<Vec<_>>();
        match (fields.as_slice(), models.last_mut()) {
            (&["model", name, title, left, right, stacked, unless, source, counters], _) => {
                models.push(Model {
                    name: name.to_owned(),
                    title: title.to_owned(),
                    left: left.to_owned(),
                    right: right.to_owned(),
                    stacked: stacked == "stacked",
                    source: source.to_owned(),
                    unless: unless.to_owned(),
                    own: false,
                    counters: counters.split(' ').map(str::to_owned).collect(),
                    components: Vec::new(),
                });
            }
            (&[axis, name, title, colour, hidden, explanation, formula], Some(model)) => {
                model.components.push(Component {
                    name: name.to_owned(),
                    title: title.to_owned(),
                    axis: if axis == "right" { Axis::Right } else { Axis::Left },
                    colour: u32::from_str_radix(colour, 16)
                        .ok()
                        .map(|rgb| [(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8]),
                    hidden: hidden == "hidden",
                    explanation: explanation.to_owned(),
                    formula: polish::formula_or_none(formula),
                });
            }
            // The test leaves no other line.
            _ => {}
        }
    }
    models
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use tracefold_generate::Random;

    use crate::model::{Expression, file, possible};

    fn model(name: &str) -> Model {
        built_in().into_iter().find(|model| model.name == name).unwrap_or_else(|| panic!("{name}"))
    }

    /// In the order in which their models are offered.
    const FILES: [&str; 11] = [
        "papi",
        "intel-topdown",
        "amd-zen",
        "arm-neoverse",
        "intel-nehalem",
        "intel-sandybridge",
        "intel-haswell",
        "ibm-power5",
        "ibm-power7",
        "ibm-power8",
        "armv7",
    ];

    /// As [`LINES`] has it.
    fn lines(model: &Model) -> String {
        let stacked = if model.stacked { "stacked" } else { "" };
        let Model { name, title, left, right, unless, source, .. } = model;
        let counters = model.counters.join(" ");
        let mut lines = format!(
            "model\t{name}\t{title}\t{left}\t{right}\t{stacked}\t{unless}\t{source}\t{counters}\n"
        );
        for part in &model.components {
            let Component { name, title, explanation, .. } = part;
            let axis = if part.axis == Axis::Right { "right" } else { "left" };
            let [red, green, blue] = part.colour.unwrap_or_default();
            let colour = part.colour.map(|_| format!("{red:02x}{green:02x}{blue:02x}"));
            let (colour, hidden) =
                (colour.unwrap_or_default(), if part.hidden { "hidden" } else { "" });
            let formula = polish::polish(&part.formula);
            lines +=
                &format!("{axis}\t{name}\t{title}\t{colour}\t{hidden}\t{explanation}\t{formula}\n");
        }
        lines
    }

    #[test]
    fn the_lines_are_what_the_files_say() {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = crate_folder.join("../static/models");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), FILES.len(), "a file is missing here");
        let models = FILES.iter().flat_map(|name| {
            let bytes = fs::read(folder.join(name).with_extension("xml")).unwrap();
            file::read(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        let models = models.collect::<Vec<_>>();
        let written = models.iter().map(lines).collect::<String>();
        if written != LINES {
            fs::write(crate_folder.join("src/model/built_in.tsv"), &written).unwrap();
            panic!("static/models was changed; built_in.tsv is written again, to be committed too");
        }
        assert!(built_in() == models, "a field of the lines is not read as it was written");
    }

    #[test]
    fn every_component_is_explained() {
        for model in built_in() {
            assert!(!model.source.is_empty() && !model.left.is_empty(), "{}", model.name);
            for component in &model.components {
                assert!(component.explanation.ends_with('.'), "{}", component.name);
                assert!(component.hidden || component.colour.is_some(), "{}", component.name);
            }
        }
    }

    #[test]
    fn names_stand_once() {
        let models = built_in();
        let names = models.iter().map(|model| model.name.as_str()).collect::<BTreeSet<_>>();
        assert_eq!(names.len(), models.len(), "a name stands twice");
        for model in &models {
            assert!(model.unless.is_empty() || names.contains(&model.unless[..]), "{}", model.name);
        }
    }

    /// A rate in events per microsecond.
    fn rate(random: &mut Random) -> f64 {
        random.between(0.001, 1000.0)
    }

    /// The components that are areas of the stack, from the bottom.
    fn stack(model: &Model) -> impl Iterator<Item = &Component> {
        model.components.iter().filter(|part| !part.hidden && part.axis == Axis::Left)
    }

    #[test]
    fn what_is_stacked_sums_to_the_whole() {
        let mut random = Random::new(42);
        let stacked = built_in().into_iter().filter(|model| model.stacked).collect::<Vec<_>>();
        assert_eq!(stacked.len(), 15);
        for model in stacked {
            let whole = match model.name.as_str() {
                "power5-cpi" => "PM_CYC / PM_INST_CMPL",
                "served-by" => "PAPI_L1_DCM / PAPI_TOT_INS",
                "cycles-per-instruction" => "PAPI_TOT_CYC / PAPI_TOT_INS",
                "power7-cpi" | "power8-cpi" => "PM_RUN_CYC / PM_RUN_INST_CMPL",
                _ => "1",
            };
            let known = model.counters.iter().map(String::as_str).collect::<Vec<_>>();
            for _ in 0..200 {
                let rates = known.iter().map(|_| rate(&mut random)).collect::<Vec<_>>();
                let parts = stack(&model).map(|part| part.formula.evaluate(&rates).unwrap());
                let sum = parts.sum::<f64>();
                let sizes = stack(&model).map(|part| part.formula.evaluate(&rates).unwrap().abs());
                let tolerance = 1e-12 * sizes.sum::<f64>();
                let whole = Expression::parse(whole, &known).unwrap();
                let of_whole = whole
                    .counters
                    .iter()
                    .map(|name| rates[known.iter().position(|known| known == name).unwrap()]);
                let whole = whole.formula.evaluate(&of_whole.collect::<Vec<_>>()).unwrap();
                assert!((sum - whole).abs() <= tolerance, "{}: {sum} {whole}", model.name);
            }
        }
    }

    /// One component against its formula as the sources print it.
    fn check(model: &Model, component: &str, formula: &str) {
        let known = model.counters.iter().map(|name| name.split('|').next().unwrap());
        let known = known.collect::<Vec<_>>();
        let typed = Expression::parse(formula, &known).unwrap_or_else(|error| panic!("{error}"));
        let part = model.components.iter().find(|part| part.name == component).unwrap();
        let mut random = Random::new(3);
        for _ in 0..50 {
            let rates = known.iter().map(|_| rate(&mut random)).collect::<Vec<_>>();
            let place = |name: &String| known.iter().position(|known| known == name).unwrap();
            let own = typed.counters.iter().map(|name| rates[place(name)]).collect::<Vec<_>>();
            let (found, expected) = (part.formula.evaluate(&rates), typed.formula.evaluate(&own));
            let (found, expected) = (found.unwrap(), expected.unwrap());
            let tolerance = 1e-9 * (1.0 + expected.abs());
            assert!((found - expected).abs() < tolerance, "{component}: {found} {expected}");
        }
    }

    #[test]
    fn the_formulas_are_those_of_their_sources() {
        let intel = model("intel-topdown");
        let clocks = "CPU_CLK_UNHALTED.THREAD";
        let slots = format!("(4 * {clocks})");
        check(&intel, "frontend_bound", &format!("IDQ_UOPS_NOT_DELIVERED.CORE / {slots}"));
        check(&intel, "retiring", &format!("UOPS_RETIRED.RETIRE_SLOTS / {slots}"));
        let lost = "UOPS_ISSUED.ANY - UOPS_RETIRED.RETIRE_SLOTS + 4 * INT_MISC.RECOVERY_CYCLES";
        check(&intel, "bad_speculation", &format!("({lost}) / {slots}"));

        let zen = model("amd-zen4");
        check(
            &zen,
            "bad_speculation",
            "(de_src_op_disp.all - ex_ret_ops) / (6 * ls_not_halted_cyc)",
        );
        let zen = model("amd-zen5");
        check(&zen, "retiring", "ex_ret_ops / (8 * ls_not_halted_cyc)");

        let v1 = model("neoverse-v1");
        check(
            &v1,
            "frontend_bound",
            "STALL_SLOT_FRONTEND/(CPU_CYCLES*8) - (BR_MIS_PRED*4)/CPU_CYCLES",
        );
        check(&v1, "backend_bound", "STALL_SLOT_BACKEND/(CPU_CYCLES*8)");
        let n2 = model("neoverse-n2");
        check(&n2, "frontend_bound", "STALL_SLOT_FRONTEND/(CPU_CYCLES*5) - BR_MIS_PRED/CPU_CYCLES");
        check(&n2, "backend_bound", "STALL_SLOT_BACKEND/(CPU_CYCLES*5) - BR_MIS_PRED*3/CPU_CYCLES");
        let stall = "(STALL_SLOT_FRONTEND + STALL_SLOT_BACKEND)";
        let used = format!("(1 - {stall}/(CPU_CYCLES*5))");
        check(&n2, "retiring", &format!("OP_RETIRED/OP_SPEC*{used}"));
        let lost = format!("(1 - OP_RETIRED/OP_SPEC)*{used} + BR_MIS_PRED*4/CPU_CYCLES");
        check(&n2, "bad_speculation", &lost);

        let power8 = model("power8-cpi");
        check(&power8, "l3miss", "PM_CMPLU_STALL_DMISS_L3MISS / PM_RUN_INST_CMPL");
        check(&model("memory-bandwidth"), "bandwidth", "PAPI_L3_TCM * 64 / 1000");
        let mix = model("instruction-mix");
        check(&mix, "vec", "(PAPI_VEC_DP + PAPI_VEC_SP) / PAPI_TOT_INS");
    }

    #[test]
    fn what_the_counters_of_a_trace_allow_is_offered_once() {
        let models = built_in();
        let offered = |available: &[&str]| {
            possible(&models, available).iter().map(|m| m.name.clone()).collect::<Vec<_>>()
        };
        let full = ["PAPI_TOT_INS", "PAPI_L1_DCM", "PAPI_L2_DCM", "PAPI_L3_TCM", "PAPI_BR_MSP"];
        assert_eq!(offered(&full), ["architecture-impact", "served-by", "memory-bandwidth"]);
        // Those of 444.namd.
        let namd = ["LLC_MISSES", "PAPI_L1_DCM", "PAPI_L2_TCM", "PAPI_TOT_CYC", "PAPI_TOT_INS"];
        assert_eq!(offered(&namd), ["cache-misses", "served-by", "memory-bandwidth"]);
        let haswell = [
            "PAPI_TOT_INS",
            "PAPI_TOT_CYC",
            "RESOURCE_STALLS:SB",
            "RESOURCE_STALLS:RS",
            "RESOURCE_STALLS:ROB",
        ];
        assert_eq!(offered(&haswell), ["haswell-stalls"]);
        let perf = [
            "slots",
            "topdown-retiring",
            "topdown-bad-spec",
            "cpu/topdown-fe-bound/",
            "topdown-be-bound:u",
            "instructions:u",
        ];
        assert_eq!(offered(&perf), ["intel-topdown-slots"]);
        let arm = [
            "stall_slot_frontend",
            "stall_slot_backend",
            "op_retired",
            "op_spec",
            "cpu_cycles",
            "br_mis_pred",
            "inst_retired",
        ];
        assert_eq!(offered(&arm), ["neoverse-v1", "neoverse-n2", "neoverse-v2"]);
        assert!(offered(&["cycles", "instructions"]).is_empty());
    }
}
