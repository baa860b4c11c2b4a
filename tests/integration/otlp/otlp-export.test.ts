import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { callHost } from '../../support/call-host.ts';
import { curl } from '../../support/curl.ts';
import { freePort } from '../../support/free-port.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { HAS_COLLECTOR, OtelCollector } from '../../support/otel-collector.ts';
import { spansIn } from '../../support/otlp-request.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { ACCEPT, type Responder, scriptedCollector } from '../../support/scripted-collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** Answers 200, or 500 below /broken, and notes the request's headers. */
async function origin(): Promise<{ url: string; seen: http.IncomingHttpHeaders[] }> {
  const seen: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(request.url?.startsWith('/broken') ? 500 : 200).end('body');
  });
  const port = await listenInTest(server);
  return { url: `http://127.0.0.1:${port}`, seen };
}

async function serving(...options: string[]) {
  const cli = new RoundtripCli(['serve', '--port', '0', '--json', ...options]);
  const { proxy, ca, ui } = await cli.ready();
  return { cli, through: { proxy, caPath: ca }, ui };
}

describe.skipIf(!HAS_COLLECTOR)('a real OpenTelemetry Collector', () => {
  it('gets every attempt and phase, in the trace of the request', async () => {
    const collector = await OtelCollector.start();
    const { url, seen } = await origin();
    const { cli, through } = await serving('--otlp', collector.url);
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    await curl(through, '-H', `traceparent: ${traceparent}`, `${url}/users/17?sig=hunter2`);
    await curl(through, '-H', `traceparent: 00-${TRACE}-${PARENT}-00`, `${url}/quiet`);
    await curl(through, `${url}/broken`);
    expect(seen[0]?.traceparent).toBe(traceparent);
    // On a loaded machine, the exporter may wait for longer than the end of `serve` does.
    for (const metric of ['http.client.request.duration', 'roundtrip.overhead'])
      await expect.poll(() => collector.printed).toContain(metric);
    await expect
      .poll(() => collector.spans().filter(({ kind }) => kind === 'Client'))
      .toMatchObject([
        {
          ...{ traceId: TRACE, parentId: PARENT, name: 'GET /users/{id}', status: 'Unset' },
          attributes: {
            'http.request.method': 'GET',
            'http.response.status_code': '200',
            'url.full': `${url}/users/17?sig=REDACTED`,
            'server.port': new URL(url).port,
          },
        },
        { name: 'GET /broken', status: 'Error', attributes: { 'error.type': '500' } },
      ]);
    const phases = collector.spans().filter(({ kind, traceId }) => kind === 'Internal' && traceId === TRACE);
    expect(phases.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'HTTP connection_setup',
        'socket connect',
        'HTTP send_request',
        'HTTP wait_for_response',
      ]),
    );
    for (const { startedAt, endedAt, parentId } of phases) {
      const parent = collector.spans().find(({ id }) => id === parentId);
      expect(startedAt).toBeGreaterThanOrEqual((parent?.startedAt ?? 0) - 0.001);
      expect(endedAt).toBeLessThanOrEqual((parent?.endedAt ?? 0) + 0.001);
    }
    expect(collector.printed).not.toContain('hunter2');

    await curl(through, `${url}/last`);
    cli.child.kill('SIGTERM');
    const { exitCode, stderr } = await cli.finished;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^$|1 exchange was not/) });
    if (stderr === '') await expect.poll(() => collector.spans().map(({ name }) => name)).toContain('GET /last');
  });

  it('gets what was recorded while it was down', async () => {
    const port = await freePort();
    const { url } = await origin();
    const { cli, through, ui } = await serving('--otlp', `http://127.0.0.1:${port}`);
    await curl(through, `${url}/early`);
    await expect.poll(() => callHost(ui, 'otlp.status', {})).toMatchObject({ problem: expect.any(String) });
    const collector = await OtelCollector.start(port);
    await expect.poll(() => collector.spans().map(({ name }) => name)).toContain('GET /early');
    await expect.poll(() => callHost(ui, 'otlp.status', {})).toMatchObject({ exported: 1, dropped: 0, problem: null });
    cli.child.kill('SIGTERM');
    expect(await cli.finished).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('does not accept') });
  });
});

describe('a collector that does not accept', () => {
  it('is down: traffic continues, and the end reports what was not exported', async () => {
    const { url } = await origin();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { cli, through } = await serving('--otlp', nobody);
    expect((await curl(through, `${url}/a`)).stdout).toBe('body');
    cli.child.kill('SIGTERM');
    expect(await cli.finished).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`1 exchange was not exported to ${nobody}`),
    });
  });

  it('traffic continues while it is busy or slow, and all exchanges arrive', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const busy: Responder = (response) => response.writeHead(429, { 'retry-after': '0' }).end();
    const slow: Responder = (response) => void released.then(() => response.end());
    const { seen, url: collector } = await scriptedCollector(busy, slow, ACCEPT);
    const { url } = await origin();
    const { through, ui } = await serving('--otlp', collector);
    expect((await curl(through, `${url}/a`)).stdout).toBe('body');
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(2);
    expect((await curl(through, `${url}/b`)).stdout).toBe('body');
    release();
    await expect.poll(() => callHost(ui, 'otlp.status', {})).toMatchObject({ exported: 2, dropped: 0, problem: null });
    const traces = seen.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => spansIn(body));
    const names = traces.filter(({ kind }) => kind === 3).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['GET /a', 'GET /b']));
  });

  it.each(['', 'localhost:4318', 'ftp://a', 'http://'])('the address %j is refused', async (address) => {
    const { exitCode, stderr } = await runRoundtrip(['serve', '--otlp', address]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('--otlp') });
  });
});
