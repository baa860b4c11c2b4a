/** The report's own style: it opens from disk, without the window's. Phases differ in lightness too. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --line: #d0d5dd; --muted: #667085; --ok: #05603a; --over: #b42318; --medium: #b54708; }
@media (prefers-color-scheme: dark) { :root { --line: #3a404c; --muted: #98a2b3; --ok: #6ce9a6; --over: #fda29b; --medium: #fec84b; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 1200px; margin: 0 auto; padding: 24px; }
h1 small { color: var(--muted); font-size: 14px; font-weight: 400; }
h2 { margin-top: 32px; font-size: 18px; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 8px; text-align: left; vertical-align: top; }
table:not(.waterfall) td:first-child { width: 1%; white-space: nowrap; }
.verdict, .severity { border: 1px solid currentColor; border-radius: 4px; padding: 0 6px; font-size: 12px; }
.ok, .better { color: var(--ok); }
.over, .worse, .high { color: var(--over); }
.medium { color: var(--medium); }
.low, .too-few-runs { color: var(--muted); }
.findings { padding-left: 20px; }
.findings p { margin: 2px 0; }
.waterfall { table-layout: fixed; font-size: 12px; font-variant-numeric: tabular-nums; }
.waterfall th:nth-child(1) { width: 48px; }
.waterfall th:nth-child(3), .waterfall th:nth-child(4), .waterfall th:nth-child(5) { width: 72px; }
.waterfall th:nth-child(6) { width: 45%; }
.waterfall tr:target { outline: 2px solid currentColor; }
.address { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bars span { display: flex; height: 14px; }
.bars i { min-width: 1px; }
.key { margin-right: 12px; }
.key i { display: inline-block; width: 12px; height: 12px; margin-right: 4px; }
.blocked { background: #98a2b3; }
.dns { background: #0e7090; }
.connect { background: #dc6803; }
.send { background: #7a5af8; }
.wait { background: #2e90fa; }
.receive { background: #12b76a; }
`;
