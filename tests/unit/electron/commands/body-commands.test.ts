import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../../electron/commands/command-context.ts';
import { dispatch } from '../../../../electron/commands/dispatch.ts';
import type { FileTarget, HostServices } from '../../../../electron/commands/host-services.ts';
import { roundtripError } from '../../../../electron/engine/errors.ts';
import type { InputOf } from '../../../../shared/contract/requests.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { unreachableHost } from '../../../support/unreachable-host.ts';

const SAVE = { call: 1, name: 'body.save', input: { id: 1, side: 'response', form: 'decoded' } };
/** Longer than two ranges. */
const BODY = Buffer.alloc(2_500_000, 'roundtrip ');

function play(file: string | null, read?: () => Promise<never>) {
  const { context } = unreachableHost();
  const suggested: string[] = [];
  const done: string[] = [];
  const target = (place: string): FileTarget => ({
    path: place,
    finish: async (size) => ({ status: 'saved', path: place, ...size }),
    discard: async () => void done.push('discarded'),
  });
  const readBody = async ({ offset, length }: InputOf<'body.read'>) => ({
    data: BODY.subarray(offset, offset + length).toString('base64'),
    size: BODY.length,
  });
  const host = {
    recording: { exchange: async () => exampleExchange(), readBody: read ?? readBody },
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
  it('writes all of it, under a name of its own', async () => {
    const file = path.join(temporaryFolder(), 'chosen');
    const { context, suggested } = play(file);
    expect(await dispatch(SAVE, context)).toMatchObject({ ok: true, value: { status: 'saved', bytes: BODY.length } });
    expect(fs.readFileSync(file).equals(BODY)).toBe(true);
    expect(suggested).toEqual(['items.json']);
  });

  it('is cancelled where no file was chosen', async () => {
    expect(await dispatch(SAVE, play(null).context)).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  });

  it('says where it could not write, and clears away what is there', async () => {
    const { context, done } = play(path.join(temporaryFolder(), 'no/such/folder'));
    expect(await dispatch(SAVE, context)).toMatchObject({ ok: false, problem: { code: 'body.write-failed' } });
    expect(done).toEqual(['discarded']);
  });

  it('passes on what the session says', async () => {
    const gone = () => Promise.reject(roundtripError('session.not-found', { id: 1 }));
    const { context } = play(path.join(temporaryFolder(), 'chosen'), gone);
    expect(await dispatch(SAVE, context)).toMatchObject({ ok: false, problem: { code: 'session.not-found' } });
  });
});
