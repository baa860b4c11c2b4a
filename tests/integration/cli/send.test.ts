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

/** Records two requests of curl. */
async function recording(url: string) {
  const folder = temporaryFolder();
  const session = path.join(folder, 'first.roundtrip');
  const script = `curl -s -m 10 --noproxy '' ${url}/a -H 'X-One: 1' -d tea >/dev/null; curl -s -m 10 --noproxy '' ${url}/gone >/dev/null`;
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
  it('sends what was recorded again, as often as it is asked to, and sums it up', async () => {
    const { got, url } = await origin();
    const { folder, session } = await recording(url);
    const [first, second] = got;
    const text = await runRoundtrip(['send', session, '--times', '2'], { folder });
    expect(text).toMatchObject({ exitCode: 0, stderr: '' });
    expect(got.slice(2)).toEqual([first, first, second, second]);
    expect(text.stdout).toMatch(/^200 {2}ttfb .* total .* {2}POST http:\/\/127\.0\.0\.1:\d+\/a$/m);
    expect(text.stdout).toMatch(/^4 requests, 0 failed; 200 x 2, 404 x 2$/m);
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
    expect(got).toHaveLength(12);
    const har = await runRoundtrip(['send', 'first.har', '--filter', 'method:POST'], { folder });
    expect(har).toMatchObject({ exitCode: 0, stderr: '' });
    expect(got[12]).toEqual(first);
  });

  it('sends a body of many pieces whole', async () => {
    const { got, url } = await origin();
    const { folder, session } = await recording(url);
    const body = 'a line of tea\n'.repeat(200_000);
    fs.writeFileSync(path.join(folder, 'body'), body);
    const upload = `curl -s -m 20 --noproxy '' ${url}/big -H Expect: --data-binary @body >/dev/null`;
    const options = ['--session', session, '--har', path.join(folder, 'more.har'), '--port', '0'];
    await runRoundtrip(['record', ...options, '--', 'sh', '-c', upload], { folder });
    const sent = await runRoundtrip(['send', session, '--filter', 'path:/big'], { folder });
    expect(sent).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 request, 0 failed') });
    const [first, again] = got.slice(-2);
    expect(again?.raw).toEqual(first?.raw);
    expect(again?.body === body && first?.body === body).toBe(true);
  });

  it('exits 1 if a request failed, and names why', async () => {
    const { url, stop } = await origin();
    const { folder, session } = await recording(url);
    stop();
    const { exitCode, stdout } = await runRoundtrip(['send', session, '--json', '--filter', 'method:GET'], { folder });
    expect(exitCode).toBe(1);
    const [response, summary] = linesOf(stdout);
    expect(response).toMatchObject({ status: 0, failure: { code: 'upstream.refused' } });
    expect(summary).toMatchObject({ sent: 1, failed: 1, statuses: {} });
  });

  it('exits 2 with one line for bad arguments, and 1 for a missing recording', async () => {
    const folder = temporaryFolder();
    const run = (...args: string[]) => runRoundtrip(['send', ...args], { folder });
    expect(await run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('send needs a recording') });
    expect(await run('a', '--times', '0')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('from 1 to 1000000'),
    });
    expect(await run('a', '--filter', 'stauts:1')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--filter: There is no field stauts'),
    });
    expect(await run('a', '--port', '1')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--port does not apply to send'),
    });
    expect(await run('none.roundtrip')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no such file'),
    });
  });
});
