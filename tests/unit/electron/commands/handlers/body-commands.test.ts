import { describe, expect, it } from 'vitest';
import { dispatch } from '../../../../../electron/commands/dispatch.ts';
import type { CommandContext } from '../../../../../electron/commands/handlers/command-context.ts';
import type { FileTarget, HostServices } from '../../../../../electron/commands/host-services.ts';
import { roundtripError } from '../../../../../electron/failures/errors.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { unreachableHost } from '../../../../support/unreachable-host.ts';

const SAVE = { call: 1, name: 'body.save', input: { session: 's', id: 1, side: 'response', form: 'decoded' } };
const SAVED = { bytes: 2_500_000, note: null };

function play(file: string | null, saveBody: (save: unknown, path: string) => Promise<typeof SAVED>) {
  const { context } = unreachableHost();
  const suggested: string[] = [];
  const done: string[] = [];
  const target = (place: string): FileTarget => ({
    path: place,
    finish: async (size) => ({ status: 'saved', path: place, note: null, ...size }),
    discard: async () => void done.push('discarded'),
  });
  const host = {
    sessions: { of: () => ({ exchange: async () => exampleExchange(), saveBody }) },
    files: {
      choose: async ({ name }: { name: string }) => {
        suggested.push(name);
        return file === null ? null : target(file);
      },
    },
  } as unknown as HostServices;
  return { context: { ...context, host } as CommandContext, suggested, done };
}

describe('body.save', () => {
  it('has the session write it to the chosen folder, under its own name', async () => {
    const places: string[] = [];
    const { context, suggested } = play('/chosen', async (_save, path) => {
      places.push(path);
      return SAVED;
    });
    const value = { status: 'saved', path: '/chosen', exchanges: 1, ...SAVED };
    expect(await dispatch(SAVE, context)).toMatchObject({ ok: true, value });
    expect(places).toEqual(['/chosen']);
    expect(suggested).toEqual(['items.json']);
  });

  it('is cancelled if no file was chosen', async () => {
    const { context } = play(null, async () => SAVED);
    expect(await dispatch(SAVE, context)).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  });

  it('passes on what the session says, and clears away what is there', async () => {
    const gone = () => Promise.reject(roundtripError('session.not-found', { id: 1 }));
    const { context, done } = play('/chosen', gone);
    expect(await dispatch(SAVE, context)).toMatchObject({ ok: false, problem: { code: 'session.not-found' } });
    expect(done).toEqual(['discarded']);
  });
});
