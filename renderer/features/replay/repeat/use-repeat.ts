import { useEffect, useRef, useState } from 'react';
import type { ComposedRequest, RepeatPace, RepeatResult } from '../../../../shared/model/replay/composed-request.ts';
import type { ReplayOf } from '../../../../shared/model/replay/replay-of.ts';
import { attempt, useApp } from '../../app-context.ts';

/** Numbers of runs in this window: progress of an earlier run may arrive after the next has begun. */
let runs = 0;

/** A repetition and its controls. An event reports its end, which may come long after `start` resolves. */
export interface Repetition {
  /** Those that have ended so far, in that order. */
  results: readonly RepeatResult[];
  running: boolean;
  start: (of: ReplayOf, request: ComposedRequest | null, pace: RepeatPace) => Promise<void>;
  stop: () => void;
}

/** This window's repetition. It is stopped with the component. */
export function useRepeat(): Repetition {
  const app = useApp();
  const run = useRef(0);
  const [results, setResults] = useState<readonly RepeatResult[]>([]);
  const [running, setRunning] = useState(false);
  useEffect(() => {
    const end = app.api.on('replay.progress', (progress) => {
      if (progress.run !== run.current) return;
      setResults((before) => [...before, ...progress.results]);
      if (progress.over) setRunning(false);
    });
    // The host ends a window's repetition with its connection, and the event that reports this has no receiver.
    const endConnection = app.api.onConnection((connected) => {
      if (!connected) setRunning(false);
    });
    return () => {
      end();
      endConnection();
      if (run.current > 0) void app.api.request('replay.stop', {}).catch(() => null);
    };
  }, [app]);
  const start: Repetition['start'] = async (of, request, pace) => {
    runs += 1;
    run.current = runs;
    setResults([]);
    setRunning(true);
    const begun = await attempt(app, () => app.api.request('replay.repeat', { run: run.current, of, request, pace }));
    if (begun === null) setRunning(false);
  };
  const stop = () => void attempt(app, () => app.api.request('replay.stop', {}));
  return { results, running, start, stop };
}
