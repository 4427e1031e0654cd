// How a profile looks. Loaded with it, so that no other page waits for it.

export const STYLE = `
body[data-tab=profile] :is(#choose, #facts, #picked, #doubts, #partial, #table-switch, #numbers, #panel, #run, #efficiencies, #lanes, #pane:not([data-shown]), #share) { display: none !important; }
.profile { position: relative; padding-bottom: 12px; }
.profile .sentence button { height: auto; padding: 0; white-space: normal; text-align: left; font: inherit; }
.profile-words { padding: 12px; color: var(--ink2); }
.profile-words:empty { display: none; }
.quality { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 0 var(--right) 0 var(--left); padding: 3px 0; border: solid var(--line); border-width: 1px 0; font-size: 12px; line-height: 18px; color: var(--ink2); position: relative; }
.quality::before { content: "Quality"; position: absolute; right: calc(100% + 8px); width: calc(var(--left) - 20px); font-weight: 600; font-size: 13px; color: var(--ink); }
.quality div { display: flex; gap: 5px; white-space: nowrap; }
.quality dd { margin: 0; font-weight: 600; color: var(--ink); }
.quality .limits dd { color: var(--slower); }
.profile canvas { display: block; outline-offset: -2px; }
.profile .head { align-items: center; flex-wrap: wrap; }
.profile .head .words { margin-left: auto; }
.profile .lane { margin-top: 4px; }
.profile-key span { display: inline-flex; align-items: center; }
.cap { flex: none; display: inline-block; width: 14px; height: 9px; margin-right: 6px; background: color-mix(in srgb, var(--ink3) 22%, var(--surface)); border-top: 3px solid var(--ink3); }
.cap.sample { border-top: 2px dotted var(--accent); background: color-mix(in srgb, var(--accent) 18%, var(--surface)); }
.cap.unresolved { border: 0; background: repeating-linear-gradient(135deg, var(--ink3) 0 1px, var(--surface) 1px 4px); }
.finds { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 10px 12px 6px; }
.finds input { width: 220px; }
.finds select { max-width: 220px; }
.profile-rows { margin: 0 12px; overflow: auto; outline-offset: -2px; overflow-anchor: none; background: var(--surface); }
.profile-rows table { width: 100%; border-collapse: separate; border-spacing: 0; font-size: 12px; table-layout: fixed; min-width: 572px; }
.profile-rows :is(th, td) { padding: 0 6px; height: 23px; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; white-space: nowrap; overflow: hidden; }
.profile-rows thead th { position: sticky; top: 0; z-index: 1; height: 27px; padding: 0; width: 62px; background: var(--surface); color: var(--ink3); }
.profile-rows thead th:is(:nth-child(2), :nth-child(3)) { width: 100px; }
.profile-rows thead th:first-child { width: auto; }
.profile-rows thead th:last-child:not(:nth-child(-n+6)) button { white-space: nowrap; }
.profile-rows thead button { width: 100%; height: 26px; padding: 0 6px; border: 0; border-radius: 0; font-size: 12px; text-align: right; color: inherit; overflow: hidden; text-overflow: ellipsis; }
.profile-rows thead [aria-sort] button { color: var(--ink); font-weight: 600; }
.profile-rows :is(thead th:first-child button, tbody th) { text-align: left; }
.profile-rows .space td { border: 0; padding: 0; height: auto; }
.profile-rows .space { height: 0; }
.profile-rows tbody tr:not(.space) { cursor: pointer; height: 23px; }
.profile-rows tbody tr:not(.space):hover :is(th, td) { background: var(--sunken); }
.profile-rows .now :is(th, td) { background: var(--accentbg) !important; }
.profile-rows .what { display: flex; align-items: center; min-width: 0; }
.profile-rows .name { overflow: hidden; text-overflow: ellipsis; min-width: 4ch; }
.profile-rows .what small { margin-left: 8px; flex: 0 1000 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.turn { flex: none; width: 16px; color: var(--ink3); font-size: 11px; }
[data-turn] { cursor: pointer; }
.profile-rows thead th:has([data-by=imbalance]) { width: 146px; }
.threads-over { display: block; height: 12px; background: linear-gradient(var(--ink) 0 0) var(--mean) 0 / 2px 100% no-repeat, linear-gradient(var(--axis) 0 0) var(--from) 4px / var(--wide) 5px no-repeat, linear-gradient(var(--line) 0 0) 0 6px / 100% 1px no-repeat; }
.profile-heat { margin: 8px 12px 0; }
.profile-heat canvas { margin: 4px -12px 0; }
:is(.profile, .profile-panel) summary { justify-content: flex-start; gap: 6px; cursor: pointer; }
:is(.profile, .profile-panel) summary::before { content: "▸"; color: var(--ink3); }
:is(.profile, .profile-panel) [open] > summary::before { content: "▾"; }
.profile-heat summary { font-weight: 600; }
.profile-heat input { width: 96px; height: 26px; }
.costly { border-collapse: collapse; font-size: 12px; margin: 4px 0; }
.costly :is(th, td) { padding: 2px 16px 2px 0; text-align: right; font-weight: 400; border-bottom: 1px solid var(--line); white-space: nowrap; }
.costly th:first-child { text-align: left; max-width: 480px; overflow: hidden; text-overflow: ellipsis; }
.costly thead th { color: var(--ink3); }
.profile-tip { pointer-events: none; padding: 4px 8px; font-size: 12px; max-width: 420px; overflow-wrap: anywhere; }
.profile-panel section:not(.notices) { padding: 8px 12px; border-bottom: 1px solid var(--line); }
.profile-panel section:empty { display: none; }
.profile-panel h2 { font-size: 13px; gap: 8px; overflow-wrap: anywhere; }
.profile-panel h2 small { white-space: nowrap; }
.profile-panel table { width: 100%; border-collapse: collapse; font-size: 12px; }
.profile-panel :is(th, td) { padding: 2px 0; height: 24px; border-bottom: 1px solid var(--line); font-weight: 400; text-align: left; }
.profile-panel tr:last-child :is(th, td) { border: 0; }
.profile-panel td { text-align: right; white-space: nowrap; padding-left: 8px; }
.profile-panel td:last-child { color: var(--ink3); font-size: 11px; white-space: normal; }
.profile-panel .path { font-size: 12px; line-height: 18px; color: var(--ink3); overflow-wrap: anywhere; }
.profile-panel .path button { display: inline; font-size: 12px; white-space: normal; text-align: left; color: var(--ink2); }
.profile-panel .room { font-size: 12px; line-height: 18px; color: var(--ink2); }
.room button { white-space: normal; text-align: left; font-size: 12px; }
.axes { display: grid; grid-template-columns: auto 1fr auto; gap: 4px 8px; align-items: center; font-size: 12px; margin-top: 6px; }
.axes select, .profile-settings select, .profile-settings input { width: 100%; height: 26px; font-size: 12px; }
.profile-settings label { display: grid; grid-template-columns: 96px 1fr; gap: 8px; align-items: center; margin-top: 4px; font-size: 12px; }
.profile-settings h2, .profile-files h2 { font-size: 12px; color: var(--ink2); }
.profile-files p { display: flex; flex-wrap: wrap; gap: 4px 12px; font-size: 12px; }
.profile-settings dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 8px; font-size: 11px; overflow-wrap: anywhere; margin-top: 4px; max-height: 240px; overflow: auto; }
.profile-settings dd { margin: 0; color: var(--ink2); }
.profile-beside { border-bottom: 1px solid var(--line); padding-bottom: 8px; }
.profile-beside .head { gap: 4px 12px; }
.profile-beside .head input { width: 150px; height: 26px; margin-left: 12px; }
.profile-beside .head .words { margin-left: 0; }
.profile-beside .head .close { margin-left: auto; }
.profile-beside .sides { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 4px 12px; font-size: 12px; overflow-wrap: anywhere; }
.profile-beside .side { color: var(--ink3); font-weight: 600; }
.profile-beside :is(.state, .hint, .row, .doubts, .pair) { margin: 4px 12px; }
.profile-beside :is(.state, .hint):empty { display: none; }
.profile-beside .doubts { padding: 0; list-style: none; font-size: 12px; line-height: 18px; color: var(--ink2); }
.both-rows { margin: 6px 12px; max-height: 420px; overflow: auto; outline-offset: -2px; }
.both { width: 100%; min-width: 840px; table-layout: fixed; border-collapse: separate; border-spacing: 0; font-size: 12px; }
.both :is(th, td) { height: 23px; padding: 0 6px; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.both thead th { position: sticky; top: 0; z-index: 1; width: 92px; padding: 0; background: var(--surface); color: var(--ink3); }
.both thead th:nth-child(4) { width: 196px; }
.both thead th:nth-child(5) { width: 66px; }
.both thead th:first-child { width: auto; }
.both thead button { width: 100%; height: 26px; padding: 0 6px; border: 0; border-radius: 0; font-size: 12px; text-align: right; color: inherit; }
.both thead th:nth-child(4) button { padding-right: 62px; }
.both thead [aria-sort] button { color: var(--ink); font-weight: 600; }
.both :is(thead th:first-child button, tbody th) { text-align: left; }
.both .what { display: flex; align-items: center; min-width: 0; }
.both .name { display: block; height: auto; padding: 0; overflow: hidden; text-overflow: ellipsis; font-size: 12px; text-align: left; color: var(--ink); min-width: 4ch; }
.both .what small { margin-left: 8px; flex: 0 1000 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--ink3); }
.both em { flex: none; margin-left: 8px; font-style: normal; font-weight: 600; color: var(--ink2); }
.both td small { color: var(--ink3); font-size: 11px; }
.both tbody td:nth-child(4) { position: relative; padding-right: 62px; }
.both .bar { position: absolute; top: 6px; right: 4px; width: 54px; height: 11px; background: linear-gradient(var(--line), var(--line)) center / 1px 100% no-repeat; }
.both .bar::after { content: ""; position: absolute; inset: 1px auto 1px var(--from); width: var(--wide); min-width: 1px; background: var(--accent); }
.both .more .bar::after { background: var(--slower); }
.both :is(.open, .slight) .bar::after { background: var(--axis); }
.both .more td:nth-child(4) { color: var(--slower); }
.both .less td:nth-child(4) { color: var(--accent); }
.both .open :is(td, .name) { color: var(--ink3); }
.both .now :is(th, td) { background: var(--accentbg); }
.profile-beside h3 { font-size: 13px; margin: 6px 0 2px; overflow-wrap: anywhere; }
.profile-beside h3 small { font-weight: 400; color: var(--ink3); }
.pair :is(th, thead th) { text-align: left; vertical-align: baseline; }
.pair thead th:nth-child(n+3) { text-align: right; }
.pair tbody th[scope=row] { color: var(--ink3); }
body[data-tab=profile] #keys { visibility: hidden; }
@media (max-width: 599px) {
  .both { min-width: 620px; }
  .both :is(th, td):nth-child(n+6) { display: none; }
  .both thead th:first-child { width: 150px; }
  .profile-rows .what small { display: none; }
  .profile-rows thead th:first-child { width: 150px; }
  .quality { margin: 0 12px; padding-left: 0; }
  .quality::before { position: static; width: auto; font-size: 12px; }
}
`;
