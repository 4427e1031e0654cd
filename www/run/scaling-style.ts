// How several runs look beside one another. Loaded with them, so that no other page waits for it.

export const STYLE = `
[data-runs] :is(#efficiencies, #efficiency) { display: none; }
.scaling .state { margin: 0; padding: 4px 12px; color: var(--ink2); }
.scaling .sentence { white-space: normal; height: auto; }
#scaling #scaling-table :is(thead th:not(:first-child), td) { width: 96px; }
#scaling #scaling-table thead .name { padding: 0; text-align: right; height: auto; min-height: 24px; font-weight: 400; }
#scaling #scaling-table thead .name small { display: block; margin: 0; overflow-wrap: anywhere; line-height: 14px; }
#scaling #scaling-table thead .now .name { font-weight: 600; color: var(--ink); }
.scaling .plots { display: flex; flex-wrap: wrap; margin-top: 10px; }
.scaling .plots section { min-width: 0; }
.scaling .plots h2 { margin: 0; padding-left: 12px; font-size: 13px; line-height: 24px; }
.scaling .plots canvas { display: block; }
.scaling .core-parts { margin: 0 12px 12px; max-width: 1000px; }
#scaling #scaling-parts :is(thead th, td) { padding-left: 12px; white-space: nowrap; }
.scaling .remarks .hint { padding: 0 12px 6px; white-space: normal; }
.scaling-panel .of-run { width: 100%; }
.scaling-panel .of-run th { font-weight: 400; }
.scaling-panel .fields { padding: 12px 12px 0; }
.scaling-panel .field { display: flex; align-items: center; gap: 8px; margin: 0 0 6px; font-size: 12px; }
.scaling-panel .field span { flex: none; width: 72px; color: var(--ink2); }
.scaling-panel .field select { flex: 1; min-width: 0; }
@media (max-width: 599px) { #scaling #scaling-table :is(thead th:not(:first-child), td) { width: 58px; } }
`;
