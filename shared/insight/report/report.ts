import { counted } from '../../format/counts.ts';
import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import type { Finding } from '../../model/insight/finding.ts';
import type { BudgetVerdict, CheckResult } from '../check/check-result.ts';
import { escapeXml } from '../check/junit.ts';
import { costLine } from '../finding-costs.ts';
import { REPORT_STYLE } from './report-style.ts';
import { waterfall } from './report-waterfall.ts';

export interface ReportInput {
  result: CheckResult;
  /** The first rows of each source, by start; `total` of them exist. */
  waterfalls: readonly { source: string; rows: readonly ExchangeSummary[]; total: number }[];
  /** When it was created, ISO 8601. */
  at: string;
}

/** One HTML file without scripts that opens from disk: verdicts, comparison, findings, waterfall. */
export function reportHtml({ result, waterfalls, at }: ReportInput): string {
  const title = result.ok ? 'Within budget' : 'Over budget';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Roundtrip: ${title}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<main>
<h1><span class="verdict ${result.ok ? 'ok' : 'over'}">${title}</span> <small>Roundtrip, ${escapeXml(at)}</small></h1>
${result.notes.map((note) => `<p>${escapeXml(note)}</p>`).join('\n')}
${result.sources.map(sourceSection).join('\n')}
${comparison(result)}
${waterfalls.map(({ source, rows, total }) => waterfall(source, rows, total, marksOf(result, source))).join('\n')}
</main>
</body>
</html>
`;
}

function sourceSection({ source, budgets, findings }: CheckResult['sources'][number]): string {
  const rows = budgets.map((line) => verdictRow(budgetVerdict(line), line.message)).join('\n');
  const table = rows === '' ? '' : `<h2>Budget: ${escapeXml(source)}</h2>\n<table><tbody>${rows}</tbody></table>`;
  const list = findings.map(findingItem).join('\n');
  const heading = `<h2>Findings: ${escapeXml(source)}</h2>`;
  return `${table}\n${heading}\n${list === '' ? '<p>No findings.</p>' : `<ul class="findings">${list}</ul>`}`;
}

/** A line that measured nothing is within its budget, and proves nothing. */
function budgetVerdict({ ok, actual }: BudgetVerdict): string {
  if (!ok) return 'over';
  return actual === null ? 'none' : 'ok';
}

function verdictRow(verdict: string, message: string): string {
  return `<tr><td><span class="verdict ${verdict}">${verdict}</span></td><td>${escapeXml(message)}</td></tr>`;
}

function findingItem(finding: Finding): string {
  const { severity, title, detail, remedy, rule, exchanges } = finding;
  const cost = costLine(finding);
  const costs = cost === '' ? '' : `<p>Cost: ${escapeXml(cost)}</p>`;
  const ids = exchanges.slice(0, 20).map((id) => `<a href="#x${id}">${id}</a>`);
  const more = exchanges.length > ids.length ? ` and ${exchanges.length - ids.length} more` : '';
  const mark = `<span class="severity ${severity}">${severity}</span>`;
  return `<li><strong>${mark} ${escapeXml(title)}</strong> <code>${rule}</code>
<p>${escapeXml(detail)}</p>${costs}<p>Remedy: ${escapeXml(remedy)}</p>
<p>Exchanges: ${ids.join(', ')}${more}</p></li>`;
}

function comparison({ baseline }: CheckResult): string {
  if (baseline.length === 0) return '';
  const of = (...verdicts: string[]) => baseline.filter(({ verdict }) => verdicts.includes(verdict));
  const changed = of('worse', 'new', 'gone', 'better').map(({ verdict, message }) => verdictRow(verdict, message));
  const table = changed.length === 0 ? '' : `<table><tbody>${changed.join('\n')}</tbody></table>\n`;
  const same = counted(of('same').length, 'figure');
  const open = undecided(of('too-few-runs'));
  return `<h2>Against the baselines</h2>\n${table}<p>${same} as in the baselines.</p>\n${open}`;
}

/** Folded: with too few runs, the list has every time of every kind of request. */
function undecided(verdicts: CheckResult['baseline']): string {
  if (verdicts.length === 0) return '';
  const items = verdicts.map(({ message }) => `<li>${escapeXml(message)}</li>`).join('\n');
  const summary = `${counted(verdicts.length, 'time')}: too few runs to tell`;
  return `<details><summary>${summary}</summary>\n<ul>${items}</ul></details>`;
}

/** The findings' severity by exchange, of one source. */
function marksOf({ sources }: CheckResult, source: string): Map<number, string> {
  const findings = sources.find((one) => one.source === source)?.findings ?? [];
  // The worst come first: they are set last.
  return new Map(
    [...findings].reverse().flatMap(({ exchanges, severity }) => exchanges.map((id) => [id, severity] as const)),
  );
}
