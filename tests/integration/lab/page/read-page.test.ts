import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPage } from '../../../../electron/lab/page/read-page.ts';
import { SessionReader } from '../../../../electron/session/read/session-reader.ts';
import { SessionFiller } from '../../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../../electron/session/write/session-writer.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { type Part, recordParts } from '../../../support/page-session.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const shop = (of: Partial<Part>): Part => ({ url: 'https://shop.test/', type: 'text/html', body: 'shop', ...of });
const blog = (of: Partial<Part>): Part => ({ url: 'https://blog.test/', type: 'text/html', body: 'blog', ...of });
const from = (page: string) => ['Referer', page];

/** Of exchanges with ids from 1. */
async function sessionOf(...parts: Part[]): Promise<SessionReader> {
  const file = path.join(temporaryFolder(), 'pages.roundtrip');
  await recordParts(file, parts);
  const reader = new SessionReader(file);
  onTestFinished(() => reader.close());
  return reader;
}

describe('readPage', () => {
  it('separates pages that loaded at the same time, and includes requests of no page', async () => {
    const reader = await sessionOf(
      shop({ destination: 'document' }),
      shop({ url: 'https://cdn.test/unnamed.js', requestFields: from('https://shop.test/elsewhere') }),
      blog({ destination: 'document' }),
      shop({ url: 'https://shop.test/late.js', requestFields: from('https://shop.test/') }),
      blog({ url: 'https://blog.test/a.css', requestFields: from('https://blog.test/') }),
    );
    const idsOf = async (number: number) => (await readPage(reader, number)).responses.map(({ id }) => id);
    expect(await idsOf(1)).toEqual([1, 2, 4]);
    expect(await idsOf(2)).toEqual([3, 5]);
    expect(await readPage(reader, 2)).toMatchObject({ url: 'https://blog.test/', documentId: 3 });
  });

  it('finds a page by its document, whatever its number', async () => {
    const reader = await sessionOf(shop({ destination: 'document' }), blog({ destination: 'document' }));
    expect(await readPage(reader, 1, 2)).toMatchObject({ number: 2, url: 'https://blog.test/', documentId: 2 });
  });

  it('begins with the redirects to a page', async () => {
    const reader = await sessionOf(
      shop({ url: 'https://shop.test/old', status: 301, fields: ['Location', '/'], destination: 'document' }),
      shop({ destination: 'document' }),
    );
    expect(await readPage(reader, 1)).toMatchObject({ url: 'https://shop.test/old', documentId: 2 });
  });

  it('names the pages of the session if none has the requested number', async () => {
    const reader = await sessionOf(shop({ destination: 'document' }), blog({ destination: 'document' }));
    await expect(readPage(reader, 3)).rejects.toThrow(
      'The session has no page 3. Choose one of these: 1 (https://shop.test/), 2 (https://blog.test/).',
    );
  });

  it('names the first ten of many', async () => {
    const reader = await sessionOf(...Array.from({ length: 12 }, () => shop({ destination: 'document' })));
    await expect(readPage(reader, 13)).rejects.toThrow('10 (https://shop.test/) and 2 more.');
  });

  it('refuses a page whose document a replay could not give', async () => {
    const reader = await sessionOf(shop({ destination: 'document', method: 'POST' }));
    await expect(readPage(reader, 1)).rejects.toMatchObject({ failure: { code: 'lab.no-document' } });
  });

  it('tells tunnels that were passed through from those that failed', async () => {
    const file = path.join(temporaryFolder(), 'tunnels.roundtrip');
    const writer = SessionWriter.open(file);
    const filler = new SessionFiller(writer);
    const headers = ['Sec-Fetch-Dest', 'document', 'Sec-Fetch-Mode', 'navigate'];
    const body = { size: 0, stored: 0, complete: true };
    const tunnel = { kind: 'tunnel', response: null } as const;
    for (const exchange of [
      exampleExchange({ id: 1, request: { headers }, response: { headers: ['Content-Type', 'text/html'], body } }),
      exampleExchange({ id: 2, ...tunnel }),
      exampleExchange({ id: 3, ...tunnel, state: 'failed', upstream: null, attempts: [] }),
      exampleExchange({ id: 4, ...tunnel, state: 'failed', upstream: null, attempts: [] }),
    ])
      filler.add({ exchange, bodies: { request: null, response: null }, marks: [] });
    filler.flush();
    writer.close();
    const reader = new SessionReader(file);
    onTestFinished(() => reader.close());
    expect((await readPage(reader, 1)).notes).toEqual([
      '1 exchange passed through encrypted and cannot be replayed.',
      '2 exchanges failed before a request was sent.',
    ]);
  });

  it('says that a session without pages has none', async () => {
    const reader = await sessionOf(shop({}));
    await expect(readPage(reader, 1)).rejects.toThrow('The session has no page');
  });
});
