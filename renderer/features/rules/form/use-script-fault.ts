import { useEffect, useState } from 'react';
import { attempt, useApp } from '../../app-context.ts';
import { useConsoleLines } from '../script-console.tsx';

/** Why a script does not work. `line`: from 1; null: not known. */
export interface ScriptFault {
  line: number | null;
  text: string;
}

/** A check begins after this pause in typing, milliseconds. */
const PAUSE = 300;

/** Why the script does not compile, as the host's interpreter sees it; null: it does, or it is not checked yet. */
export function useCompileFault(code: string): ScriptFault | null {
  const app = useApp();
  const [checked, setChecked] = useState<{ code: string; fault: ScriptFault | null } | null>(null);
  useEffect(() => {
    if (code.trim() === '') return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const reply = await attempt(app, () => app.api.request('rules.check-script', { code }));
      const problem = reply?.problem ?? null;
      if (isWanted) setChecked({ code, fault: problem && { line: problem.line, text: problem.detail } });
    }, PAUSE);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [app, code]);
  // If the text has changed since, the line may be a different one.
  return checked?.code === code ? checked.fault : null;
}

/** Why the rule's script failed when it last ran; null: it has not failed, or has been edited since. */
export function useLastFailure(rule: string, isEdited: boolean): ScriptFault | null {
  const [lines] = useConsoleLines();
  if (isEdited) return null;
  const last = lines.filter((line) => line.rule === rule && line.level === 'error').at(-1);
  if (last === undefined) return null;
  const [, line = null, text = last.text] = /^line (\d+): (.*)$/s.exec(last.text) ?? [];
  return line === null ? null : { line: Number(line), text };
}
