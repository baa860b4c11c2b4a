import { useEffect, useState } from 'react';
import { secondOf } from '../../../shared/format/clock.ts';
import type { ConsoleLine } from '../../../shared/model/rule/script.ts';
import { Button } from '../../ui/button.tsx';
import { attempt, useApp } from '../app-context.ts';

/** As many as the host keeps. */
const MOST_LINES = 500;

/** What scripts wrote, newest line last. It listens before it reads: no line is missed. */
export function useConsoleLines() {
  const app = useApp();
  const [lines, setLines] = useState<readonly ConsoleLine[]>([]);
  useEffect(() => {
    const add = (more: readonly ConsoleLine[]) =>
      setLines((now) => {
        // What was read may overlap with what was sent meanwhile.
        const known = new Set(now.map(({ id }) => id));
        const all = [...now, ...more.filter(({ id }) => !known.has(id))];
        return all.sort((one, other) => one.id - other.id).slice(-MOST_LINES);
      });
    const stop = app.api.on('console.lines', (sent) => add(sent.lines));
    void attempt(app, () => app.api.request('console.read', {})).then((read) => read && add(read.lines));
    return stop;
  }, [app]);
  return [lines, setLines] as const;
}

/** What the scripts of rules wrote, and why they failed. */
export function ScriptConsole() {
  const app = useApp();
  const [lines, setLines] = useConsoleLines();
  const clear = async () => {
    if (await attempt(app, () => app.api.request('console.clear', {}))) setLines([]);
  };
  return (
    <details className="console" open={lines.length > 0}>
      <summary>Console{lines.length > 0 && ` (${lines.length})`}</summary>
      {lines.length === 0 ? (
        <p className="muted">No output yet. Use console.log in a script.</p>
      ) : (
        <>
          <ol aria-label="Script console">
            {lines.map(({ id, at, rule, level, text }) => (
              <li key={id} className={level}>
                <time>{secondOf(new Date(at))}</time>
                <b>{rule}</b>
                <span>{text}</span>
              </li>
            ))}
          </ol>
          <Button onClick={() => void clear()}>Clear console</Button>
        </>
      )}
    </details>
  );
}
