import { intervalWords, type LabCell, type LabResult, VARIANT_NAMES } from '../../../shared/model/lab/lab-result.ts';
import { escapeHtml } from './escape-html.ts';
import { waterfallSvg } from './waterfall-svg.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#16181d, #e7e9ee); --quiet: light-dark(#454b57, #b6bcc8);
  --ground: light-dark(#fff, #14161b); --line: light-dark(#dfe2e8, #2b303a); --queue: light-dark(#c3c8d1, #5a6172);
  --wait: light-dark(#35a05a, #35a85a); --receive: light-dark(#2c5fe0, #4470ef); --end: light-dark(#c02b2b, #f07f7f); }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: 2rem auto;
  max-width: 1200px; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; color: var(--quiet); } ul { padding-left: 1.2rem; }
.scrolls { overflow-x: auto; } table { border-collapse: collapse; white-space: nowrap; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } td { font-variant-numeric: tabular-nums; }
.falls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); gap: 1.5rem; }
svg { width: 100%; height: auto; border: 1px solid var(--line); }
.queue { fill: var(--queue); } .wait { fill: var(--wait); } .receive { fill: var(--receive); }
.end { stroke: var(--end); stroke-dasharray: 3 2; }
i { display: inline-block; width: 1em; height: .8em; margin: 0 .3em 0 1em; vertical-align: middle; }
i:first-child { margin-left: 0; } i.thin { height: .2em; } i.half { height: .5em; } .legend { margin: .75rem 0; }
@media print { body { max-width: none; margin: 0; }
  i, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure, tr { break-inside: avoid; } .scrolls { overflow: visible; } }
`;

function ms(number: number): string {
  return String(Math.round(number));
}

function tableRow(cell: LabCell): string {
  const { variant, time, ttfb, requests, connections, preflights } = cell;
  const numbers = [ms(time.median), intervalWords(cell), ms(ttfb), requests, connections, preflights];
  const cells = numbers.map((number) => `<td>${number}</td>`).join('');
  return `<tr><td>${escapeHtml(VARIANT_NAMES[variant])}</td>${cells}</tr>`;
}

function tableOf(cells: readonly LabCell[]): string {
  const headings = ['Variant', 'Load, ms', '95 % interval', 'Mean TTFB, ms', 'Requests', 'Connections', 'Preflights'];
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  return `<div class="scrolls"><table><thead><tr>${head}</tr></thead>
<tbody>${cells.map(tableRow).join('\n')}</tbody></table></div>`;
}

function listOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
}

function fallOf(cell: LabCell, span: number): string {
  const name = VARIANT_NAMES[cell.variant];
  const label = `${name} at ${cell.rtt} ms: ${cell.waterfall.length} requests in ${ms(cell.time.median)} ms`;
  return `<figure style="margin:0"><h3>${escapeHtml(name)}</h3><p>${ms(cell.time.median)} ms</p>
${waterfallSvg(cell, span, label)}</figure>`;
}

function sectionOf(rtt: number, { cells, savings }: LabResult): string {
  const here = cells.filter((cell) => cell.rtt === rtt);
  const ends = here.flatMap(({ waterfall, time }) => [time.median, ...waterfall.map(({ end }) => end)]);
  const span = ends.reduce((latest, end) => Math.max(latest, end), 1);
  const sentences = savings.filter((saving) => saving.rtt === rtt).map(({ sentence }) => `${sentence}.`);
  return `<section><h2>At a round-trip time of ${rtt} ms</h2>${listOf(sentences)}${tableOf(here)}
<p class="legend"><i class="thin" style="background:var(--queue)"></i>waits for a connection<i class="half"
style="background:var(--wait)"></i>waits for the response<i style="background:var(--receive)"></i>receives. All
drawings share the scale of ${ms(span)} ms; the dashed line is the median load time.</p>
<div class="falls">${here.map((cell) => fallOf(cell, span)).join('\n')}</div></section>`;
}

function originsIn({ origins }: LabResult['page']): string {
  return origins === 1 ? '1 origin' : `${origins} origins`;
}

/** The result as one self-contained HTML page: no script, style sheet or image from elsewhere. */
export function labReport(result: LabResult): string {
  const { page, browser, bandwidth, runs, cells, notes } = result;
  const network = bandwidth > 0 ? `${bandwidth} Mbit/s` : 'no limit of bandwidth';
  const rtts = [...new Set(cells.map(({ rtt }) => rtt))];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Lab: ${escapeHtml(page.url)}</title><style>${STYLE}</style>
<h1>${escapeHtml(page.url)}</h1>
<p>Recorded ${new Date(page.startedAt).toISOString()}. ${page.responses} responses of ${originsIn(page)}, replayed
to ${escapeHtml(browser)}, ${runs} loads each, ${network}.</p>
${rtts.map((rtt) => sectionOf(rtt, result)).join('\n')}
${notes.length > 0 ? `<section><h2>Not replayed as recorded</h2>${listOf(notes)}</section>` : ''}</html>
`;
}
