import { formatDuration } from '../../format/durations.ts';
import { formatBytes } from '../../format/sizes.ts';
import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import { escapeXml } from '../check/junit.ts';

const PHASES = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive', 'unsplit'] as const;

const NAMES: Record<(typeof PHASES)[number], string> = {
  ...{ blocked: 'blocked', dns: 'dns', connect: 'connect', send: 'send', wait: 'wait', receive: 'receive' },
  unsplit: 'all phases',
};

/** A table with a bar of phases for each row. `marks`: the worst severity of a row's findings. */
export function waterfall(
  source: string,
  rows: readonly ExchangeSummary[],
  total: number,
  marks: ReadonlyMap<number, string>,
): string {
  const start = rows.reduce((least, row) => Math.min(least, row.startedAt), Number.POSITIVE_INFINITY);
  const end = rows.reduce((most, row) => Math.max(most, row.startedAt + Math.max(row.total, 0)), start);
  const scale = 100 / Math.max(end - start, 1);
  const lines = rows.map((row) => line(row, start, scale, marks.get(row.id))).join('\n');
  const cut = total > rows.length ? `<p>The first ${rows.length} of ${total} exchanges.</p>` : '';
  const present = PHASES.filter((phase) => rows.some(({ timings }) => timings[phase] > 0));
  const legend = present.map((phase) => `<span class="key"><i class="${phase}"></i>${NAMES[phase]}</span>`).join(' ');
  const columns = ['Id', 'Request', 'Status', 'Size', 'Time', 'Waterfall'].map(
    (name) => `<th scope="col">${name}</th>`,
  );
  return `<h2>Waterfall: ${escapeXml(source)}</h2>\n${cut}<p>${legend}</p>
<div class="scrolls"><table class="waterfall"><thead><tr>${columns.join('')}</tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

function line(row: ExchangeSummary, start: number, scale: number, mark: string | undefined): string {
  // CONNECT's target is the authority itself.
  const address = escapeXml(`${row.method} ${row.authority}${row.method === 'CONNECT' ? '' : row.path}`);
  const phases = PHASES.map((phase) => ({ phase, ms: Math.max(row.timings[phase], 0) })).filter(({ ms }) => ms > 0);
  const words = phases.map(({ phase, ms }) => `${NAMES[phase]} ${formatDuration(ms)}`).join(', ');
  const bars = phases
    .map(({ phase, ms }) => `<i class="${phase}" style="width:${(ms * scale).toFixed(3)}%"></i>`)
    .join('');
  const offset = ((row.startedAt - start) * scale).toFixed(3);
  const severity = mark === undefined ? '' : ` <span class="severity ${mark}">${mark}</span>`;
  const picture = `<span role="img" aria-label="${words || 'no time'}" style="margin-left:${offset}%">${bars}</span>`;
  return `<tr id="x${row.id}"><td>${row.id}</td><td class="address" title="${address}">${address}${severity}</td>
<td>${row.status === 0 ? escapeXml(row.failureCode ?? '-') : row.status}</td>
<td>${formatBytes(row.responseSize)}</td><td>${formatDuration(row.total)}</td>
<td class="bars" title="${words}">${picture}</td></tr>`;
}
