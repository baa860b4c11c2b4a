import { describe, expect, it } from 'vitest';
import { dispatch } from '../../../../../electron/commands/dispatch.ts';
import type { CommandContext } from '../../../../../electron/commands/handlers/command-context.ts';
import type { FileTarget, HostServices } from '../../../../../electron/commands/host-services.ts';
import { roundtripError } from '../../../../../electron/failures/errors.ts';
import type { ExportTask } from '../../../../../electron/worker/recording-types.ts';
import { unreachableHost } from '../../../../support/unreachable-host.ts';

const EXPORT = { call: 1, name: 'har.export', input: { session: 's', query: '', window: null, redact: false } };

interface Played {
  /** What the export does with its job. */
  exports: (job: ExportTask) => Promise<{ exchanges: number; bytes: number }>;
  /** Null: the user cancels the dialog. */
  target?: null;
}

function play({ exports, target }: Played) {
  const { context, notices } = unreachableHost();
  const done: string[] = [];
  const file: FileTarget = {
    path: '/chosen.har',
    finish: async (size) => {
      done.push('finished');
      return { status: 'saved', path: '/chosen.har', note: null, ...size };
    },
    discard: async () => void done.push('discarded'),
  };
  const host = {
    sessions: { of: () => ({ export: exports }) },
    files: { choose: async () => (target === null ? null : file) },
  } as unknown as HostServices;
  const playing: CommandContext = { ...context, host };
  return { context: playing, done, notices };
}

describe('har.export', () => {
  it("reports progress, and the file's path", async () => {
    const { context, done, notices } = play({
      exports: async (job) => {
        expect(job.path).toBe('/chosen.har');
        job.onProgress(1, 3);
        job.onProgress(2, 3);
        job.onProgress(3, 3);
        return { exchanges: 3, bytes: 99 };
      },
    });
    const reply = await dispatch(EXPORT, context);
    expect(reply).toMatchObject({ ok: true, value: { status: 'saved', exchanges: 3, bytes: 99 } });
    expect(done).toEqual(['finished']);
    expect(notices.at(-1)).toEqual({ event: 'har.progress', payload: { written: 3, total: 3 } });
  });

  it('is cancelled if no file was chosen', async () => {
    const { context } = play({ target: null, exports: () => Promise.reject(new Error('not reached')) });
    expect(await dispatch(EXPORT, context)).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  });

  it('is one at a time, and can be cancelled', async () => {
    const { context, done } = play({
      exports: ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const first = dispatch(EXPORT, context);
    expect(await dispatch(EXPORT, context)).toMatchObject({ ok: false, problem: { code: 'har.busy' } });
    expect(await dispatch({ call: 2, name: 'har.cancel', input: {} }, context)).toMatchObject({ ok: true });
    expect(await first).toMatchObject({ ok: true, value: { status: 'cancelled' } });
    expect(done).toEqual(['discarded']);
  });

  it('leaves nothing behind when it fails, and can be tried again', async () => {
    const failure = roundtripError('har.write-failed', { path: '/chosen.har', detail: 'the disk is full' });
    const { context, done } = play({ exports: () => Promise.reject(failure) });
    for (let round = 0; round < 2; round += 1) {
      expect(await dispatch(EXPORT, context)).toMatchObject({ ok: false, problem: { code: 'har.write-failed' } });
    }
    expect(done).toEqual(['discarded', 'discarded']);
  });
});

it('an export has the ids that were sent before it, once', async () => {
  const chosen: unknown[] = [];
  const { context } = play({
    exports: async ({ selection }) => {
      chosen.push(selection.ids);
      return { exchanges: 1, bytes: 1 };
    },
  });
  const ids = (...of: number[]) => of.map((id) => ({ first: id, last: id }));
  const send = (name: string, input: object) => dispatch({ call: 1, name, input }, context);
  const input = { ...EXPORT.input, format: 'csv', patterns: [] };
  await send('export.ids', { ids: ids(1, 3) });
  await send('export.ids', { ids: ids(5) });
  await send('session.export', { ...input, ids: ids(7) });
  await send('session.export', { ...input, ids: ids(9) });
  await send('export.ids', { ids: ids(1) });
  await send('session.export', { ...input, ids: null });
  await send('session.export', { ...input, ids: ids(2) });
  expect(chosen).toEqual([ids(1, 3, 5, 7), ids(9), null, ids(2)]);
});
