import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { type SearchProgress, searchSession } from '../../../../../electron/session/search/search-session.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

async function sample() {
  const file = path.join(temporaryFolder(), 'sample.roundtrip');
  const recorder = await startRecorder(file);
  record(recorder, exampleExchange({ id: 1, request: { path: '/plain' } }), { response: Buffer.from('a needle') });
  const packed = ['Content-Type', 'text/plain', 'Content-Encoding', 'gzip', 'Set-Cookie', 'sid=abc; Path=/'];
  record(recorder, exampleExchange({ id: 2, request: { path: '/packed' }, response: { headers: packed } }), {
    response: gzipSync('hay hay NEEDLE hay'),
  });
  record(recorder, exampleExchange({ id: 3, request: { path: '/none', method: 'POST' } }), {
    request: Buffer.from('needle in a request'),
    response: Buffer.alloc(600_000, 'hay '),
  });
  await recorder.close();
  return closing(new SessionReader(file));
}

async function search(reader: SessionReader, query: string): Promise<SearchProgress & { all: number[] }> {
  const all: number[] = [];
  let last: SearchProgress | undefined;
  const take = (progress: SearchProgress) => {
    all.push(...progress.found);
    last = progress;
  };
  await searchSession(reader, query, take, new AbortController().signal);
  return { found: [], searched: 0, total: 0, ...last, all };
}

it('finds text in bodies of either side, decoded, and in headers and cookies', async () => {
  using session = await sample();
  const found = async (query: string) => (await search(session.it, query)).all;
  expect(await found('body:needle')).toEqual([1, 2, 3]);
  expect(await found('body:needle method:POST')).toEqual([3]);
  expect(await found('body:needle -path:/plain')).toEqual([2, 3]);
  expect(await found('-body:needle')).toEqual([]);
  expect(await found('path:/plain OR cookie:sid=a*')).toEqual([1, 2]);
  expect(await found('header:"content-encoding: gzip"')).toEqual([2]);
  expect(await found('body:"hay hay" -header:gzip')).toEqual([3]);
  expect(await found('message:ping')).toEqual([]);
});

it('reports its progress, and stops on request', async () => {
  using session = await sample();
  expect(await search(session.it, 'body:needle')).toMatchObject({ searched: 3, total: 3 });
  const stopping = new AbortController();
  const stopped = searchSession(session.it, 'body:needle', () => stopping.abort(), stopping.signal);
  await expect(stopped).rejects.toThrow('aborted');
  await expect(search(session.it, 'body:')).rejects.toThrow('body: needs a value right after the colon');
});

it('tells the first hit at once', async () => {
  using session = await sample();
  // No time passes: no other report is due before the last.
  vi.spyOn(performance, 'now').mockReturnValue(1000);
  onTestFinished(() => void vi.restoreAllMocks());
  const told: number[][] = [];
  const take = ({ found }: SearchProgress) => void told.push(found);
  await searchSession(session.it, 'body:needle -path:/plain', take, new AbortController().signal);
  expect(told).toEqual([[], [2], [3]]);
});
