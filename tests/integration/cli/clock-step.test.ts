import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { fakeTimeLibrary } from '../../support/fake-time.ts';
import { harEntries } from '../../support/har-entries.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { closing } from '../../support/recording.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOUR = 3_600_000;

const LIBRARY = fakeTimeLibrary();

/** Answers /stream with server-sent events, one each time that `send` is called. */
async function eventOrigin() {
  let streaming: http.ServerResponse | undefined;
  const server = http.createServer((request, response) => {
    if (request.url !== '/stream') return response.end('hello');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    streaming = response;
  });
  const port = await listenInTest(server);
  return {
    url: `http://127.0.0.1:${port}`,
    send: () => streaming?.write('data: x\n\n'),
    end: () => streaming?.end(),
  };
}

async function begin(proxy: string, url: string): Promise<http.IncomingMessage> {
  const { hostname, port } = new URL(proxy);
  const request = http.request({ hostname, port, path: url, agent: false, headers: { host: new URL(url).host } }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return response;
}

it.skipIf(LIBRARY === null)('records the correct time of day after the clock was set (libfaketime)', async () => {
  const folder = temporaryFolder();
  const clock = path.join(folder, 'clock');
  const [session, har] = [path.join(folder, 's.roundtrip'), path.join(folder, 'out.har')];
  fs.writeFileSync(clock, '+0');
  const env = {
    LD_PRELOAD: LIBRARY ?? '',
    ...{ FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  };
  const cli = new RoundtripCli(['record', '--json', '--port', '0', '--session', session, '--har', har], {
    env,
    folder,
  });
  const { proxy } = await cli.ready();
  const origin = await eventOrigin();
  const get = async (url: string) => void (await (await begin(proxy, url)).resume());

  await get(`${origin.url}/before`);
  const stream = await begin(proxy, `${origin.url}/stream`);
  origin.send();
  await once(stream, 'data');
  // Replaced in one step: the process may read it at any moment.
  fs.writeFileSync(`${clock}.next`, '+7200');
  fs.renameSync(`${clock}.next`, clock);
  origin.send();
  await once(stream, 'data');
  origin.end();
  await get(`${origin.url}/after`);
  cli.child.kill('SIGINT');
  await cli.finished;

  using reader = closing(new SessionReader(session));
  const rows = reader.it.page(0, 10).rows;
  const hoursTo = (at: number) => Math.round(Math.abs(at - (rows[0]?.startedAt ?? 0)) / HOUR);
  expect(rows.map((row) => [row.path, hoursTo(row.startedAt)])).toEqual([
    ['/before', 0],
    ['/stream', 0],
    ['/after', 2],
  ]);
  expect(reader.it.messageMarks(2, 0, 10).map(({ at }) => hoursTo(at))).toEqual([0, 2]);
  const started = harEntries(har).entries.map((entry) => hoursTo(Date.parse(entry.startedDateTime)));
  expect(started).toEqual([0, 0, 2]);
});
