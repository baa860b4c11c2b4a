export interface TapResult {
  /** The titles of passed and failed tests, without those that contain other tests. */
  passed: string[];
  failed: string[];
}

const LINE = /^( *)(not ok|ok) \d+(?: -)? ?(.*?)(?: # (SKIP|TODO|time).*)?$/i;

/** node:test also reports a test as failed if its subtests failed. */
const OF_CHILDREN = /failureType: 'subtestsFailed'/;

function detailsOf(lines: readonly string[], from: number): string {
  if (lines[from]?.trim() !== '---') return '';
  const end = lines.findIndex((line, index) => index > from && line.trim() === '...');
  return lines.slice(from, end === -1 ? undefined : end).join('\n');
}

/** The results in a file's TAP (testanything.org, version 13 and 14), from node:test or ava. */
export function readTap(text: string): TapResult {
  const lines = text.split('\n');
  const result: TapResult = { passed: [], failed: [] };
  lines.forEach((line, index) => {
    const [, , outcome, title = '', directive = ''] = LINE.exec(line) ?? [];
    if (outcome === undefined || /skip|todo/i.test(directive)) return;
    const details = detailsOf(lines, index + 1);
    if (OF_CHILDREN.test(details) || /type: 'suite'/.test(details)) return;
    // TAP 14 escapes what would begin a directive.
    (outcome === 'ok' ? result.passed : result.failed).push(title.replace(/\\([#\\])/g, '$1'));
  });
  return result;
}
