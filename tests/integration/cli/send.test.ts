import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Got {
  method: string;
  url: string;
  raw: string[];
  body: string;
}

async function origin() {
  const got: Got[] = [];
  let atOnce = 0;
  let most = 0;
  const server = http.createServer(async (request, response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    let body = '';
    for await (const piece of request) body += piece;
    got.push({ method: request.method ?? '', url: request.url ?? '', raw: request.rawHeaders, body });
    atOnce -= 1;
    response.writeHead(request.url === '/gone' ? 404 : 200).end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(stop);
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, most: () => most, stop };
}

const BIG = 'a line of tea\n'.repeat(200_000);

/** Records three requests of curl, one with a body of many pieces. */
async function recording(url: string) {
  const folder = temporaryFolder();
  const session = path.join(folder, 'first.roundtrip');
  fs.writeFileSync(path.join(folder, 'big'), BIG);
  const asks = ["/a -H 'X-One: 1' -d tea", '/gone', '/big -H Expect: --data-binary @big'];
  const script = asks.map((ask) => `curl -s -m 20 --noproxy '' ${url}${ask} >/dev/null`).join('; ');
  const options = ['--session', session, '--har', path.join(folder, 'first.har'), '--port', '0'];
  const { exitCode, stderr } = await runRoundtrip(['record', ...options, '--', 'sh', '-c', script], { folder });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return { folder, session };
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('roundtrip send', () => {
  it('sends recorded requests completely and as often as requested, sums them up, and names a failure', async () => {
    const { got, url, stop } = await origin();
    const { folder, session } = await recording(url);
    const [first, second, big] = got;
    expect(big?.body === BIG).toBe(true);
    const text = await runRoundtrip(['send', session, '--times', '2'], { folder });
    expect(text).toMatchObject({ exitCode: 0, stderr: '' });
    // Not one comparison of the whole list: a difference of megabytes would be printed.
    expect(got.slice(3, 7)).toEqual([first, first, second, second]);
    expect(got.slice(7).map(({ body }) => body === BIG)).toEqual([true, true]);
    expect(got.slice(7).map(({ raw }) => raw)).toEqual([big?.raw, big?.raw]);
    expect(text.stdout).toMatch(/^200 {2}ttfb .* total .* {2}POST http:\/\/127\.0\.0\.1:\d+\/a$/m);
    expect(text.stdout).toMatch(/^6 requests, 0 failed; 200 x 4, 404 x 2$/m);
    const chosen = ['send', 'first.roundtrip', '--filter', 'status:404', '--times', '6', '--parallel', '3', '--json'];
    const json = await runRoundtrip([...chosen, '--session', path.join(folder, 'again.roundtrip')], { folder });
    expect(json).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = linesOf(json.stdout);
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatchObject({ event: 'response', of: 2, exchange: 1, status: 404, failure: null });
    const spread = { min: expect.any(Number), median: expect.any(Number), p95: expect.any(Number) };
    expect(lines[6]).toEqual({
      ...{ event: 'summary', sent: 6, failed: 0, statuses: { 404: 6 }, ttfb: spread, total: spread },
    });
    expect(got).toHaveLength(15);
    const har = await runRoundtrip(['send', 'first.har', '--filter', 'path:/a'], { folder });
    expect(har).toMatchObject({ exitCode: 0, stderr: '' });
    expect(got[15]).toEqual(first);
    stop();
    const { exitCode, stdout } = await runRoundtrip(['send', session, '--json', '--filter', 'method:GET'], { folder });
    expect(exitCode).toBe(1);
    const [response, summary] = linesOf(stdout);
    expect(response).toMatchObject({ status: 0, failure: { code: 'upstream.refused' } });
    expect(summary).toMatchObject({ sent: 1, failed: 1, statuses: {} });
    // Six commands, one after the other: on a machine at load 40 they took two minutes.
  }, 600_000);

  it('exits 2 with one line for bad arguments, and 1 for a missing recording', async () => {
    const folder = temporaryFolder();
    const run = (...args: string[]) => runRoundtrip(['send', ...args], { folder });
    const wrong: [string[], number, string][] = [
      [[], 2, 'send needs a recording'],
      [['a', '--times', '0'], 2, 'from 1 to 1000000'],
      [['a', '--filter', 'stauts:1'], 2, '--filter: There is no field stauts'],
      [['a', '--port', '1'], 2, '--port does not apply to send'],
      [['none.roundtrip'], 1, 'there is no such file'],
    ];
    const results = await Promise.all(wrong.map(([args]) => run(...args)));
    for (const [index, [, exitCode, sentence]] of wrong.entries())
      expect(results[index]).toMatchObject({ exitCode, stderr: expect.stringContaining(sentence) });
  });
});
