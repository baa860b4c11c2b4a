import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionFacts } from '../../../../../electron/session/insight/session-facts.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { findIn } from '../../../../../shared/insight/find.ts';
import { recordParts } from '../../../../support/page-session.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** JSON of many records that differ, about 85 bytes each. */
function records(count: number): Buffer {
  const of = (index: number) => ({ id: index, name: `Lamp ${(index * 7919) % 1000}`, price: (index * 104_729) % 9973 });
  return Buffer.from(JSON.stringify(Array.from({ length: count }, (_each, index) => of(index))));
}

/** HTML: words that repeat in changing order. */
function list(count: number): Buffer {
  const words = ['lamp', 'bulb', 'shade', 'stand', 'brass', 'glass', 'paper', 'linen'];
  const of = (index: number) => [1, 7, 61].map((step) => words[((index * 7919 + step) >> (step % 5)) % words.length]);
  const item = (index: number) => `<li class="lamp">${of(index).join(' ')}, ${(index * 104_729) % 97}</li>`;
  return Buffer.from(Array.from({ length: count }, (_each, index) => item(index)).join(''));
}

/** What is found in one response with this body, gzip at `level`. */
async function foundIn(body: Buffer, level: number) {
  const file = path.join(temporaryFolder(), 'session.roundtrip');
  await recordParts(file, [
    {
      ...{ url: 'https://api.test/lamps', type: 'application/json', body: gzipSync(body, { level }) },
      ...{ fields: ['Content-Encoding', 'gzip'], requestFields: ['Accept-Encoding', 'gzip, br'] },
    },
  ]);
  const reader = new SessionReader(file);
  onTestFinished(() => reader.close());
  const facts = await new SessionFacts(reader).read();
  return { measure: facts[0]?.measure, findings: findIn(facts) };
}

describe('what bodies tell about their compression', () => {
  it.each([
    ['a short one', 1000],
    ['a longer one than is compressed again', 20_000],
  ])('finds gzip at level 0: %s', async (_name, count) => {
    const body = records(count);
    const { measure, findings } = await foundIn(body, 0);
    expect(measure?.decoded).toBe(body.length);
    expect(findings).toMatchObject([{ rule: 'compression', confidence: 'high' }]);
    expect(findings[0]?.detail).toContain('1 of 1 is encoded without compression (level 0).');
    expect(findings[0]?.bytes).toBeGreaterThan(body.length / 2);
  });

  it('finds a weak level', async () => {
    const body = list(4000);
    const { findings } = await foundIn(body, 1);
    const saved = gzipSync(body, { level: 1 }).length - gzipSync(body, { level: 6 }).length;
    expect(findings).toMatchObject([{ rule: 'compression', bytes: saved }]);
    expect(findings[0]?.title).toContain('could be compressed better');
    expect(findings[0]?.detail).not.toContain('level 0');
  });

  it.each([1000, 20_000])('is silent about level 6, %i records', async (count) => {
    expect((await foundIn(records(count), 6)).findings).toEqual([]);
  });
});
