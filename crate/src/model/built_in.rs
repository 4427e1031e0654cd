use super::component::Model;
use super::file;

/// The files of `static/models`.
const FILES: [&[u8]; 11] = [
    include_bytes!("../../../static/models/papi.xml"),
    include_bytes!("../../../static/models/intel-topdown.xml"),
    include_bytes!("../../../static/models/amd-zen.xml"),
    include_bytes!("../../../static/models/arm-neoverse.xml"),
    include_bytes!("../../../static/models/intel-nehalem.xml"),
    include_bytes!("../../../static/models/intel-sandybridge.xml"),
    include_bytes!("../../../static/models/intel-haswell.xml"),
    include_bytes!("../../../static/models/ibm-power5.xml"),
    include_bytes!("../../../static/models/ibm-power7.xml"),
    include_bytes!("../../../static/models/ibm-power8.xml"),
    include_bytes!("../../../static/models/armv7.xml"),
];

/// The models that come with Tracefold. Each file says what its formulas are, where they are from
/// and in what they differ from those of the reference tool.
pub fn built_in() -> Vec<Model> {
    // A test reads every file, so that none is left out here.
    FILES.into_iter().flat_map(|bytes| file::read("", bytes).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use tracefold_generate::Random;

    use crate::model::{Axis, Component, Expression, possible};

    fn model(name: &str) -> Model {
        built_in().into_iter().find(|model| model.name == name).unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn every_file_is_read_and_every_component_explained() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/models");
        let mut texts =
            fs::read_dir(&folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), FILES.len());
        assert!(texts.all(|text| FILES.contains(&&text[..])), "a file is missing");
        for (index, bytes) in FILES.into_iter().enumerate() {
            let models =
                file::read("m.xml", bytes).unwrap_or_else(|error| panic!("{index}: {error}"));
            for model in models {
                assert!(!model.source.is_empty() && !model.left.is_empty(), "{}", model.name);
                for component in &model.components {
                    assert!(component.explanation.ends_with('.'), "{}", component.name);
                    assert!(component.hidden || component.colour.is_some(), "{}", component.name);
                }
            }
        }
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
