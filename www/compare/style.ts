// How a comparison looks. Loaded with it, so that no other page waits for it.

export const STYLE = `
[data-compares] #main > :not(#compare, #series), [data-compares] #region-field, [data-compares] .choose, [data-compares] #tabs, [data-compares] #table-switch, [data-compares] #export { display: none; }
.compare.card { right: 12px; top: 48px; width: min(400px, 94vw); padding: 4px 0; }
.compare.card .compared { overflow: visible; }
.compare:not([hidden]) { flex: 1; min-width: 0; display: flex; }
.compared { flex: 1; min-width: 0; overflow: auto; }
.sides { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; margin: 0; padding: 8px 12px 0; }
.sides .side { display: inline-flex; align-items: center; gap: 6px; min-width: 0; overflow-wrap: anywhere; }
.sides .side i, .key2 i { display: inline-block; width: 14px; height: 2px; background: var(--ink); }
.sides .b i, .key2 .b { background: var(--accent); }
.sides .gap { flex: 1; }
.sides button { height: 26px; padding: 0 8px; font-size: 12px; }
.compared .state { padding: 12px; margin: 0; color: var(--ink2); }
.compared .state.failed { color: var(--ink); }
.compared .facts { height: auto; }
.compared .sentence { margin: 0; padding: 4px 12px 6px; line-height: 20px; color: var(--ink); }
.compared .sentence button { height: auto; padding: 0; text-align: left; white-space: normal; font: inherit; color: inherit; text-decoration: underline dotted var(--ink3); text-underline-offset: 3px; }
.compared .lanes { position: relative; padding-bottom: 8px; }
.compared .lane .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 16px; padding-top: 6px; min-height: 24px; }
@media (min-width: 900px) {
  .compared .lane:nth-child(-n+2) { position: relative; padding-top: 6px; }
  .compared .lane:nth-child(-n+2) .head { position: absolute; z-index: 1; padding-top: 0; }
}
.compared .row { position: relative; }
.compared .lane .row + .row { margin-top: 2px; }
.compared .letter { position: absolute; left: 0; width: calc(var(--left, 112px) - 8px); top: 50%; transform: translateY(-50%); text-align: right; font-size: 12px; pointer-events: none; }
.compared canvas { display: block; }
.key2 { display: inline-flex; flex-wrap: wrap; gap: 2px 14px; color: var(--ink2); font-size: 12px; }
.key2 > span { display: inline-flex; align-items: center; gap: 6px; white-space: nowrap; }
.key2 :is(.higher, .lower, .unsure) { width: 11px; height: 9px; opacity: .6; background: var(--accent); }
.key2 .lower { background: var(--slower); }
.key2 .unsure { background: var(--ink3); opacity: .3; }
.compared .head h2 small { display: none; }
.compare-panel section { padding: 10px 12px; border-bottom: 1px solid var(--line); }
.compare-panel h2 { margin: 0 0 4px; font-size: 12px; overflow-wrap: anywhere; }
.compare-panel .hint { margin: 4px 0 0; white-space: normal; }
.compare-panel table { width: 100%; border-collapse: collapse; font-size: 12px; }
.compare-panel :is(th, td) { padding: 3px 2px; text-align: right; font-weight: 400; white-space: nowrap; border-bottom: 1px solid var(--line); }
.compare-panel table { table-layout: fixed; }
.compare-panel thead :nth-child(n+2) { width: 48px; }
.compare-panel .rows thead :nth-child(-n+3):not(:first-child) { width: 50px; }
.compare-panel .rows thead :nth-child(4) { width: 58px; }
.compare-panel .rows thead :nth-child(5) { width: 52px; }
.compare-panel .counters thead :nth-child(4) { width: 36px; }
.compare-panel .counters thead :nth-child(5) { width: 74px; }
.compare-panel .lines { margin-top: 10px; }
.compare-panel :is(.lines, .references) th:first-child { overflow-wrap: anywhere; }
.compare-panel .references tr:has(+ tr > .about) > * { border-bottom: 0; }
.compare-panel .references .about { padding-top: 0; text-align: left; white-space: normal; color: var(--ink3); font-size: 11px; }
.compare-panel .references .about > * { display: block; }
.compare-panel .references .about b { color: var(--ink); font-weight: 600; }
.compare-panel .lines .name { white-space: normal; }
.compare-panel .lines th small { display: inline-block; max-width: 100%; white-space: normal; }
.compare-panel th:first-child { text-align: left; white-space: normal; }
.compare-panel th small { color: var(--ink3); font-size: 11px; white-space: nowrap; }
.compare-panel tbody tr { height: 25px; }
.compare-panel .sum :is(th, td) { font-weight: 600; border-bottom: 0; }
.compare-panel .now { background: var(--accentbg); }
.compare-panel .name { height: auto; padding: 2px 0; border: 0; background: none; font: inherit; text-align: left; display: block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.compare-panel .slower td:last-child:not(.also) { color: var(--slower); font-weight: 600; }
.compare-panel .faster td:last-child:not(.also) { color: var(--accent); font-weight: 600; }
.compare-panel .sure td:nth-child(4) { font-weight: 600; color: var(--ink); }
.compare-panel .interval { color: var(--ink3); font-size: 11px; }

.bars span { position: relative; display: block; height: 14px; background: linear-gradient(var(--line), var(--line)) 50% 0 / 1px 100% no-repeat; }
.bars i { position: absolute; top: 3px; height: 8px; min-width: 1px; background: var(--ink3); opacity: .45; }
.slower .bars .bar { background: var(--slower); opacity: .7; }
.faster .bars .bar { background: var(--accent); opacity: .6; }
.bars .program { top: 6.5px; height: 1px; background: var(--ink3); opacity: 1; }
.bars .runs { top: 6px; height: 2px; background: var(--ink); opacity: 1; }
.compare-panel .of-whole:not(:nth-child(2)) { margin-top: 12px; }
.compare-panel .whole thead :nth-child(n+2) { width: 52px; }
.compare-panel .whole thead :nth-child(4) { width: 36px; }
.compare-panel .whole th span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; line-height: 16px; }
.compare-panel .whole tbody :is(th, td) { border-bottom: 0; }
.compare-panel .whole tbody { border-bottom: 1px solid var(--line); }
.compare-panel .whole tr + tr { height: auto; }
.compare-panel .whole .also { padding: 0 2px 4px; text-align: left; white-space: normal; font-weight: 400; font-size: 11px; line-height: 15px; color: var(--ink3); }
.compare-panel .field { display: flex; align-items: center; justify-content: space-between; gap: 8px; margin-top: 6px; font-size: 12px; color: var(--ink2); }
.compare-panel .field select { flex: none; width: 60%; min-width: 0; }
.compare-panel .wrong { margin: 4px 0 0; color: var(--slower); font-size: 12px; overflow-wrap: anywhere; }
.compare-panel .wrong:empty { display: none; }
.compared [data-testid="compare-phasesA"], .compared [data-testid="compare-phasesB"] { touch-action: pan-y; }
.compare-panel .assumed b { color: var(--ink); }
.chooser { max-width: min(440px, 92vw); }
.chooser .row { display: flex; align-items: center; gap: 8px; margin: 8px 0; }
.chooser .row input[type=text] { flex: 1; min-width: 0; }
.chooser .wrong:empty { display: none; }
.plots { display: flex; flex-wrap: wrap; }
#series .lane .head { position: static; min-height: 24px; padding-top: 6px; padding-bottom: 4px; }
#series .of { margin: 0 12px; font-size: 12px; color: var(--ink3); }
#series .of b { color: var(--ink); }
@media (min-width: 600px) { #series .of { display: none; } }
#series .lane .row + .row { margin-top: 8px; }
#series .lane + .lane { margin-top: 8px; border-top: 1px solid var(--line); }
#series .key2 i, .trends .square { display: inline-block; width: 11px; height: 11px; flex: none; }
.compare-panel :is(.runs, .trends) thead :nth-child(n+2) { width: auto; }
.compare-panel :is(.runs, .trends) thead :first-child { width: 26%; }
.compare-panel .trends thead :first-child { width: 38%; }
.compare-panel .best { background: var(--accentbg); font-weight: 600; }
.compare-panel .trends .sure td:nth-last-child(-n+2) { font-weight: 600; color: var(--ink); }
.compare-panel .field input { width: 60%; min-width: 0; }
#series .wrong { margin: 6px 0 0; color: var(--slower); }
#series .wrong:empty { display: none; }
@media (max-width: 899px) {
  .compared .head h2 small { display: inline; font-weight: 400; color: var(--ink3); }
  .compare:not([hidden]) { flex-direction: column; }
  .compared { flex: none; overflow: visible; }
}
@media (forced-colors: active) { .bars i, .key2 i, .sides .side i, .trends .square, .compare-panel .best { forced-color-adjust: none; } }
@media print { .sides button, .compare-panel .fields { display: none; } }
`;
