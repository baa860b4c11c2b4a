import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { removeExchanges, restoreExchanges } from '../../../../../electron/session/edit/edit-session.ts';
import { SessionFacts } from '../../../../../electron/session/insight/session-facts.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionFiller } from '../../../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import type { ExampleExchange } from '../../../../support/example-exchange.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A session that is still being written. */
function growingSession() {
  const file = path.join(temporaryFolder(), 'session.roundtrip');
  const writer = SessionWriter.open(file);
  const reader = new SessionReader(file);
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  const write = (...exchanges: ExampleExchange[]) => {
    const filler = new SessionFiller(writer);
    for (const of of exchanges)
      filler.add({ exchange: exampleExchange(of), bodies: { request: null, response: null }, marks: [] });
    filler.flush();
  };
  return { file, reader, write };
}

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at }));

async function idsOf(facts: SessionFacts): Promise<number[]> {
  return (await facts.read()).map(({ id }) => id);
}

describe('the facts of a session', () => {
  it('are those of the latest exchanges, however many there are', async () => {
    const { reader, write } = growingSession();
    const facts = new SessionFacts(reader, 3);
    write(...numbered(1, 2));
    expect([await idsOf(facts), facts.skipped]).toEqual([[1, 2], 0]);
    write(...numbered(3, 4));
    expect([await idsOf(facts), facts.skipped]).toEqual([[2, 3, 4], 1]);
    write(...numbered(5, 20));
    expect([await idsOf(facts), facts.skipped]).toEqual([[18, 19, 20], 17]);
    expect(await idsOf(new SessionFacts(reader))).toHaveLength(20);
  });

  it('follow an exchange that went on, until it leaves the latest', async () => {
    const { reader, write } = growingSession();
    const facts = new SessionFacts(reader, 3);
    write({ id: 1, state: 'open' }, { id: 2, state: 'open' });
    await facts.read();
    write({ id: 2 }, ...numbered(3, 4));
    expect((await facts.read()).map(({ id, state }) => [id, state])).toEqual([
      [2, 'complete'],
      [3, 'complete'],
      [4, 'complete'],
    ]);
  });

  it('leave out an exchange in progress whose row is damaged meanwhile, and count it', async () => {
    const { file, reader, write } = growingSession();
    const facts = new SessionFacts(reader);
    write({ id: 1, state: 'open' }, { id: 2, state: 'open' }, { id: 3 });
    await facts.read();
    const database = new DatabaseSync(file);
    database.exec("UPDATE detail SET row = 'x' WHERE exchange = 1");
    database.close();
    write({ id: 2 }, { id: 4 });
    expect(await idsOf(facts)).toEqual([2, 3, 4]);
    expect([...reader.damaged]).toEqual([1]);
  });

  it('know how connections ended of which an exchange is among the latest', async () => {
    const { reader, write } = growingSession();
    const end = { at: 1, by: 'upstream', why: 'goaway', code: 0, windowBlocked: 0 } as const;
    write(
      { id: 1, upstream: { ...EXAMPLE_UPSTREAM, id: 7, end } },
      { id: 2, upstream: { ...EXAMPLE_UPSTREAM, id: 9, end } },
    );
    const [last] = await new SessionFacts(reader, 1).read();
    expect(last).toMatchObject({ id: 2, upstreamEnd: { by: 'upstream', why: 'goaway' } });
  });

  it('are not read again before the file changes', async () => {
    const { file, reader, write } = growingSession();
    const facts = new SessionFacts(reader);
    write(...numbered(1, 2), { id: 3, state: 'open' });
    await facts.read();
    const { version } = facts;
    const pages = vi.spyOn(reader, 'page');
    expect(await idsOf(facts)).toEqual([1, 2, 3]);
    expect([pages.mock.calls.length, facts.version]).toEqual([0, version]);
    write({ id: 3 });
    expect((await facts.read()).at(-1)?.state).toBe('complete');
    expect(facts.version).not.toBe(version);
    removeExchanges(file, [1]);
    expect(await idsOf(facts)).toEqual([2, 3]);
  });

  it('leave removed rows out, and have them again once they are restored', async () => {
    const { file, reader, write } = growingSession();
    const facts = new SessionFacts(reader);
    write(...numbered(1, 4));
    await facts.read();
    removeExchanges(file, [2, 3]);
    expect(await idsOf(facts)).toEqual([1, 4]);
    restoreExchanges(file, [{ first: 2, last: 3 }]);
    expect(await idsOf(facts)).toEqual([1, 2, 3, 4]);
  });
});
