/// What an event of some type means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A non-zero value opens a region, zero closes it.
    Region(Nesting, Origin),
    /// Events counted since the thread's previous reading.
    Counter,
    /// Another set of counters is read from here on; the value names it.
    CounterSet,
    /// The sampled routine at a depth of the call-stack; 0 is the innermost frame.
    Routine(u8),
    /// The sampled code line at a depth of the call-stack.
    CodeLine(u8),
    /// A part of a sampled memory reference.
    Reference(ReferencePart),
    /// A part of a memory allocation.
    Allocation(AllocationPart),
    /// The routine from which a runtime was called or memory asked for, by its distance from the call;
    /// 1 is the nearest.
    Caller(u8),
    /// The code line of the same.
    CallerLine(u8),
    /// Something about the tracing itself: begin and end of the program, flushes, modes.
    Tracing,
    /// Nothing that folding needs.
    Other,
}

/// How the regions of a type lie inside one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// A value opens a region inside the open one, as calls do; zero closes the innermost.
    Stack,
    /// A value closes the region before it.
    Flat,
}

/// Who delimits the regions of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The program: its routines, loops and tasks, or what an analysis found of them.
    Code,
    /// A runtime, by its calls.
    Runtime(Paradigm),
    /// Nobody says: labels may, or how the values follow one another.
    Unknown,
}

/// What a runtime is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paradigm {
    Mpi,
    OpenMp,
    /// Waiting for a lock, and having it.
    Lock,
    Pthread,
    /// CUDA, HIP, OpenCL: calls on the host.
    Accelerator,
    Io,
    /// The operating system: processes.
    System,
}

/// Parts of a sampled load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferencePart {
    LoadAddress,
    StoreAddress,
    Level,
    /// Whether the level had the data.
    LevelHit,
    TlbLevel,
    TlbHit,
    Cost,
    DataObject,
}

/// Parts of a call that allocates or frees memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationPart {
    /// Which call begins; 0 where it ends.
    Call,
    Size,
    /// What is freed or grown.
    PointerIn,
    /// What was allocated, where the call ends.
    PointerOut,
    /// The number of the data object that it makes.
    DataObject,
}

/// What a reader knows of an event type once all labels are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    pub kind: Kind,
    /// As people know it: `PAPI_TOT_INS`, `User function`.
    pub name: String,
    /// The long name; may be empty.
    pub description: String,
}
