/// What an event of some type means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A non-zero value opens a region, zero closes it.
    Region(Nesting, Origin),
    /// Events counted since the thread's previous reading.
    Counter,
    /// What there is, or what came, of something that is read beside the program: the bits of an `f64`.
    Level(Reads),
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
    /// The routine from which something was called or memory asked for, by its distance; 1 is the
    /// nearest.
    Caller(u8),
    /// The code line of the same.
    CallerLine(u8),
    /// Something about the tracing itself.
    Tracing(TracingPart),
    /// Nothing that folding needs.
    Other,
}

/// What a reading of a level says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// How much there is when it is read.
    Now,
    /// How much there was since the reading before.
    SincePrevious,
    /// How much there is until the next reading.
    UntilNext,
    /// How much came since a start, if it never falls; tracers say so of levels too.
    Sum,
    /// How much came since the reading before.
    Increment,
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
    /// The same, where a runtime hands a routine or a task to its threads.
    Outlined,
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
    /// What OpenMP says of the work that it hands out: no call in which a thread would wait.
    OpenMpWork,
    /// Waiting for a lock, and having it.
    Lock,
    /// Which critical section a lock is of.
    Critical,
    Pthread,
    /// CUDA, HIP, OpenCL: calls on the host.
    Accelerator,
    Io,
    /// The operating system: processes.
    System,
}

/// What the tracing says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracingPart {
    /// The program begins; 0 where it ends.
    Program,
    /// The tracing prepares itself.
    Initialisation,
    /// Events are written out.
    Flush,
    /// Events are recorded from here on; 0 where they are not.
    Enabled,
    /// How they are recorded from here on.
    Mode,
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
