/**
 * The report's own style: it opens from disk, without the window's style. Waiting and receiving have the window's hues;
 * phases also differ in height and pattern.
 */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --line: #d0d5dd; --muted: #667085; --ok: #05603a; --over: #b42318;
  --medium: #b54708; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a404c; --muted: #98a2b3; --ok: #6ce9a6; --over: #fda29b; --medium: #fec84b; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 1200px; margin: 0 auto; padding: 24px; }
h1 { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; margin: 8px 0 0; font-size: 22px; }
h1 .verdict { font-size: inherit; padding: 0 10px; }
h1 small { color: var(--muted); font-size: 14px; font-weight: 400; }
h2 { margin-top: 32px; font-size: 18px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 8px; text-align: left; vertical-align: top; }
table:not(.waterfall) td:first-child { width: 1%; white-space: nowrap; }
.verdict, .severity { border: 1px solid currentColor; border-radius: 4px; padding: 0 6px; font-size: 12px; }
.ok, .better { color: var(--ok); }
.over, .worse, .high { color: var(--over); }
.medium { color: var(--medium); }
.low, .none { color: var(--muted); }
details li { overflow-wrap: anywhere; }
.findings { padding-left: 20px; }
.findings p { margin: 2px 0; }
.scrolls { overflow-x: auto; }
.waterfall { min-width: 720px; table-layout: fixed; font-size: 12px; font-variant-numeric: tabular-nums; }
.waterfall th:nth-child(1) { width: 48px; }
.waterfall th:nth-child(3) { width: 88px; }
.waterfall td:nth-child(3) { overflow-wrap: anywhere; }
.waterfall th:nth-child(4), .waterfall th:nth-child(5) { width: 72px; }
.waterfall th:nth-child(6) { width: 45%; }
.waterfall tr:target { outline: 2px solid currentColor; }
.address { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bars span { display: flex; align-items: center; height: 14px; }
.bars i { height: 100%; }
.bars i { min-width: 1px; }
.key { display: inline-flex; vertical-align: middle; align-items: center; margin-right: 12px; white-space: nowrap; }
.key i { display: inline-block; width: 12px; height: 12px; margin-right: 4px; }
.bars .blocked, .key .blocked { height: 4px; background: #98a2b3; }
.unsplit { background: #98a2b3; }
.dns { background: repeating-linear-gradient(90deg, #2f7e88 0 2px, #7cc4cd 2px 4px); }
.connect { background: repeating-linear-gradient(45deg, #dc6803 0 3px, #fdb022 3px 6px); }
.send { background: #76c1f2; }
.bars .wait, .key .wait { height: 8px; background: #35a05a; }
.receive { background: #2c5fe0; }
@media print {
  main { max-width: none; padding: 0; }
  i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  tr, .findings li { break-inside: avoid; }
  .scrolls { overflow: visible; }
}
`;
