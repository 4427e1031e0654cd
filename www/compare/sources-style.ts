// How the source of both sides looks. Loaded with it.

export const SOURCES_STYLE = `
.both { position: relative; margin: 8px 0 0; border-top: 1px solid var(--line); }
.both-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; padding: 6px 12px; font-size: 12px; color: var(--ink3); }
.both-head h2 { max-width: 100%; overflow: hidden; text-overflow: ellipsis; color: var(--ink); font-size: 13px; }
.both-head :is(select, button) { height: 24px; padding: 0 6px; max-width: 190px; font-size: 12px; color: var(--ink); }
.both-head .gap { flex: 1; }
.both-words { font-size: 12px; line-height: 18px; color: var(--ink2); }
.both-words p { margin: 0; padding: 0 12px 4px; overflow-wrap: anywhere; }
.both-words .doubt { color: var(--slower); }
.both-scroll { overflow: auto; max-height: 62vh; outline-offset: -2px; }
.both table { width: 100%; min-width: 760px; border-collapse: collapse; }
.both :is(th, td) { padding: 0 4px; border: 0; font-size: 11px; line-height: 17px; font-weight: 400; text-align: right; vertical-align: top; white-space: nowrap; }
.both thead th { position: sticky; top: 0; z-index: 1; background: var(--surface); color: var(--ink3); border-bottom: 1px solid var(--line); }
.both .number { width: 1px; padding-left: 8px; color: var(--ink3); }
.both .code { width: 50%; padding-left: 8px; text-align: left; white-space: normal; }
.both code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; font: 12px/17px ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; color: var(--ink); }
.both .code small { margin-left: 2ch; color: var(--ink3); }
.both .changed .code { background: light-dark(#FBF3E6, #2B2216); }
.both .moved .code { background: light-dark(#EAF1FB, #182233); }
.both .hunk :is(th, td) { border-top: 1px solid var(--line); font-weight: 600; color: var(--ink2); }
.both .hunk .interval { font-weight: 400; }
.both .sum :is(th, td) { border-top: 1px solid var(--line); font-weight: 600; }
.both .folded td { padding: 1px 12px; text-align: left; background: var(--sunken); }
.both .folded button { height: 18px; min-height: 0; padding: 0; font-size: 11px; color: var(--ink3); }
.both .interval { color: var(--ink3); }
.both .slower td:nth-last-child(2) { color: var(--slower); font-weight: 600; }
.both .faster td:nth-last-child(2) { color: var(--accent); font-weight: 600; }
.both .now .number { color: var(--accent); font-weight: 600; box-shadow: inset 3px 0 var(--accent); }
@media (max-width: 899px) { .both-scroll { max-height: none; } }
`;
