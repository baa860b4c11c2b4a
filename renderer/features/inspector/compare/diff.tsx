import { type DiffLine, diffLines } from '../../../../shared/compare/diff-lines.ts';

/** Signs in addition to colours, which must not carry a meaning alone (WCAG 1.4.1). */
const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', removed: '−', added: '+' };

/** Unchanged lines that are drawn before and after a change. */
const CONTEXT = 3;
/** Lines drawn at most: a browser draws each of them. */
const MOST = 2000;

interface DiffProps {
  title: string;
  /** Lines, without their line breaks. */
  before: readonly string[];
  after: readonly string[];
}

/** Two texts line by line, under a heading. Long runs of unchanged lines are left out. */
export function Diff({ title, before, after }: DiffProps) {
  const lines = nearChanges(diffLines(before, after));
  const left = lines.length - MOST;
  return (
    <section className="diff-section">
      <h2>{title}</h2>
      <pre className="diff">
        {lines.slice(0, MOST).map(({ id, kind, text }) => (
          <span key={id} className={`diff-line ${kind}`}>
            {SIGNS[kind]} {text}
            {'\n'}
          </span>
        ))}
      </pre>
      {left > 0 && <p className="pad muted">{left.toLocaleString('en')} more lines</p>}
    </section>
  );
}

/** A run of unchanged lines that is longer than its context becomes one line that counts them. */
function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Array<boolean>(lines.length).fill(false);
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(true, Math.max(at - CONTEXT, 0), at + CONTEXT + 1);
  }
  const shown: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const next = near.indexOf(true, at);
    const end = next < 0 ? lines.length : next;
    if (line && end - at <= 2 * CONTEXT) {
      shown.push(line);
      at += 1;
    } else if (line) {
      shown.push({ id: line.id, kind: 'same', text: `⋯ ${end - at} unchanged lines` });
      at = end;
    }
  }
  return shown;
}
