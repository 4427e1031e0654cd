//! A part of a module that is loaded later, into the same memory.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use walrus::ir::{Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, Data, Element, ElementItems, ElementKind, Export, ExportItem, Function,
    FunctionBuilder, FunctionId, FunctionKind, Global, GlobalId, GlobalKind, ImportKind,
    ImportedFunction, LocalFunction, MemoryId, Module, Table, TableId,
};

/// Divides `whole` in two: what remains of it, and the functions below `paths` with all that is
/// called from there alone, which are instantiated with the exports of the first.
///
/// Where the first calls one of the second, it does so through a place of the table that is empty
/// until then: such a call traps. What is called through a pointer is taken for called from
/// anywhere, unless it is itself below one.
///
/// What is copied into its caller remains with it: where a part begins, functions are `inline(never)`.
///
/// Binaryen's `wasm-split` does so with a list of functions; which they are, is found here.
pub fn divide(whole: &mut Module, paths: &[&str]) -> anyhow::Result<(Module, Module)> {
    // Of one text both are parsed alike: the n-th function of one is that of the other.
    let text = whole.emit_wasm();
    let (mut first, mut second) = (Module::from_buffer(&text)?, Module::from_buffer(&text)?);
    let later = reached_from_there_alone(&first, paths);
    let twins = Twins::of(&first, &second)?;
    let places = point(&mut first, twins.table[0], &later);
    borrow(&mut first, &mut second, &later, &twins);
    provide(&mut second, &places, &twins);
    walrus::passes::gc::run(&mut first);
    walrus::passes::gc::run(&mut second);
    Ok((first, second))
}

/// What a function calls or points at, and the globals that it uses.
#[derive(Default)]
struct Uses {
    functions: BTreeSet<FunctionId>,
    globals: BTreeSet<GlobalId>,
}

impl Visitor<'_> for Uses {
    fn visit_function_id(&mut self, function: &FunctionId) {
        self.functions.insert(*function);
    }

    fn visit_global_id(&mut self, global: &GlobalId) {
        self.globals.insert(*global);
    }
}

impl Uses {
    fn of(function: &LocalFunction) -> Self {
        let mut uses = Self::default();
        dfs_in_order(&mut uses, function, function.entry_block());
        uses
    }
}

/// All functions of a module that nothing but those below `paths` leads to.
fn reached_from_there_alone(module: &Module, paths: &[&str]) -> BTreeSet<FunctionId> {
    let is_below = |function: FunctionId| {
        let name = module.funcs.get(function).name.as_deref().unwrap_or_default();
        let name = name.trim_start_matches('<');
        paths.iter().any(|path| name.starts_with(path))
    };
    let roots = exported(module).chain(module.start).chain(pointed_at(module));
    let mut open = roots.filter(|root| !is_below(*root)).collect::<Vec<_>>();
    let mut reached = open.iter().copied().collect::<BTreeSet<_>>();
    while let Some(function) = open.pop() {
        let FunctionKind::Local(local) = &module.funcs.get(function).kind else { continue };
        let called = Uses::of(local).functions.into_iter();
        open.extend(called.filter(|called| !is_below(*called) && reached.insert(*called)));
    }
    let all = module.funcs.iter_local().map(|(id, _)| id);
    all.filter(|function| !reached.contains(function)).collect()
}

/// The functions that others have by name: the page, or a part that was divided off before.
fn exported(module: &Module) -> impl Iterator<Item = FunctionId> {
    module.exports.iter().filter_map(|export| match export.item {
        ExportItem::Function(function) => Some(function),
        _ => None,
    })
}

/// The functions that pointers may lead to.
fn pointed_at(module: &Module) -> impl Iterator<Item = FunctionId> {
    module.elements.iter().flat_map(|element| match &element.items {
        ElementItems::Functions(functions) => functions.clone(),
        ElementItems::Expressions(..) => Vec::new(),
    })
}

/// What both modules have, in the first and in the second.
struct Twins {
    functions: BTreeMap<FunctionId, FunctionId>,
    globals: Vec<[GlobalId; 2]>,
    tables: Vec<[TableId; 2]>,
    /// That of functions.
    table: [TableId; 2],
    memory: [MemoryId; 2],
}

impl Twins {
    fn of(first: &Module, second: &Module) -> anyhow::Result<Self> {
        let functions = |module: &Module| module.funcs.iter().map(Function::id).collect::<Vec<_>>();
        let globals = |module: &Module| module.globals.iter().map(Global::id).collect::<Vec<_>>();
        let tables = |module: &Module| module.tables.iter().map(Table::id).collect::<Vec<_>>();
        let table = |module: &Module| {
            let table = module.tables.main_function_table()?;
            table.context("a module without functions to point at")
        };
        let memory = |module: &Module| {
            let memory = module.memories.iter().next().context("a module without memory")?;
            anyhow::Ok(memory.id())
        };
        Ok(Self {
            functions: functions(first).into_iter().zip(functions(second)).collect(),
            globals: globals(first).into_iter().zip(globals(second)).map(Into::into).collect(),
            tables: tables(first).into_iter().zip(tables(second)).map(Into::into).collect(),
            table: [table(first)?, table(second)?],
            memory: [memory(first)?, memory(second)?],
        })
    }
}

/// Puts in place of each function that is there only later a call through a new place of the table.
/// Returns these places, with the functions that belong there.
fn point(
    first: &mut Module,
    table: TableId,
    later: &BTreeSet<FunctionId>,
) -> Vec<(u32, FunctionId)> {
    let remaining = first.funcs.iter_local().filter(|(id, _)| !later.contains(id));
    let mut used =
        remaining.flat_map(|(_, local)| Uses::of(local).functions).collect::<BTreeSet<_>>();
    used.extend(pointed_at(first).chain(exported(first)));
    let from = first.tables.get(table).initial;
    let places = (from as u32..).zip(used.intersection(later).copied()).collect::<Vec<_>>();
    let of_table = first.tables.get_mut(table);
    of_table.initial += places.len() as u64;
    of_table.maximum = of_table.maximum.map(|most| most + places.len() as u64);
    for &(place, function) in &places {
        let of_type = first.funcs.get(function).ty();
        let (takes, gives) = first.types.params_results(of_type);
        let (takes, gives) = (takes.to_vec(), gives.to_vec());
        let arguments = takes.iter().map(|one| first.locals.add(*one)).collect::<Vec<_>>();
        let mut call = FunctionBuilder::new(&mut first.types, &takes, &gives);
        let mut body = call.func_body();
        for argument in &arguments {
            body.local_get(*argument);
        }
        body.i32_const(place as i32).call_indirect(of_type, table);
        first.funcs.get_mut(function).kind = FunctionKind::Local(call.local_func(arguments));
    }
    places
}

/// Lets the second have the memory and the tables of the first, and the functions and globals of it
/// that it uses.
fn borrow(first: &mut Module, second: &mut Module, later: &BTreeSet<FunctionId>, twins: &Twins) {
    let mut used = Uses::default();
    for function in later {
        if let FunctionKind::Local(local) = &second.funcs.get(twins.functions[function]).kind {
            let uses = Uses::of(local);
            used.functions.extend(uses.functions);
            used.globals.extend(uses.globals);
        }
    }
    // Short names, as there are hundreds, that no part lent before has.
    let mut number = first.exports.iter().count();
    let mut lend = |item: ExportItem, kind: ImportKind, second: &mut Module| {
        let name = format!("_{number:x}");
        number += 1;
        first.exports.add(&name, item);
        second.imports.add("first", &name, kind)
    };
    for (&own, &other) in twins.functions.iter().filter(|(own, _)| !later.contains(own)) {
        if !used.functions.contains(&other) {
            continue;
        }
        let function = second.funcs.get(other);
        let ty = function.ty();
        if let FunctionKind::Import(of_page) = &function.kind {
            second.imports.delete(of_page.import);
        }
        let import = lend(own.into(), other.into(), second);
        second.funcs.get_mut(other).kind = FunctionKind::Import(ImportedFunction { import, ty });
    }
    for &[own, other] in twins.globals.iter().filter(|[_, other]| used.globals.contains(other)) {
        let import = lend(own.into(), other.into(), second);
        second.globals.get_mut(other).kind = GlobalKind::Import(import);
    }
    for &[own, other] in &twins.tables {
        let import = lend(own.into(), other.into(), second);
        second.tables.get_mut(other).import = Some(import);
    }
    let import = lend(twins.memory[0].into(), twins.memory[1].into(), second);
    second.memories.get_mut(twins.memory[1]).import = Some(import);
}

/// Leaves of the second module what fills the places, and what that needs.
fn provide(second: &mut Module, places: &[(u32, FunctionId)], twins: &Twins) {
    let exports = second.exports.iter().map(Export::id).collect::<Vec<_>>();
    exports.into_iter().for_each(|export| second.exports.delete(export));
    let elements = second.elements.iter().map(Element::id).collect::<Vec<_>>();
    elements.into_iter().for_each(|element| second.elements.delete(element));
    let data = second.data.iter().map(Data::id).collect::<Vec<_>>();
    data.into_iter().for_each(|data| second.data.delete(data));
    second.memories.get_mut(twins.memory[1]).data_segments.clear();
    second.start = None;

    let table = twins.table[1];
    let Some((begin, _)) = places.first() else { return };
    let offset = ConstExpr::Value(Value::I32(*begin as i32));
    let functions = places.iter().map(|(_, function)| twins.functions[function]).collect();
    let kind = ElementKind::Active { table, offset };
    let element = second.elements.add(kind, ElementItems::Functions(functions));
    let of_table = second.tables.get_mut(table);
    of_table.elem_segments = [element].into_iter().collect();
    of_table.initial = u64::from(*begin) + places.len() as u64;
    of_table.maximum = None;
}
