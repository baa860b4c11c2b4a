import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../support/has-program.ts';
import { runRoundtrip } from '../support/roundtrip-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HAS_DOCKER = hasProgram('docker', 'info') && hasProgram('docker', 'compose', 'version');
const COMPOSE = [
  'compose',
  '--project-name',
  'roundtrip-fleet-test',
  '--file',
  path.resolve('docs/fleet/compose.yaml'),
];
/** Of Grafana's image, until its user sets another. */
const LOGIN = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

function compose(...args: string[]): void {
  execFileSync('docker', [...COMPOSE, ...args], { stdio: 'inherit' });
}

/** Null until the service answers. */
async function ask(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { authorization: LOGIN } }).catch(() => null);
  return response?.ok ? await response.json() : null;
}

async function tracesInJaeger(): Promise<unknown> {
  const found = await ask('http://127.0.0.1:16686/api/traces?service=roundtrip&lookback=1h&limit=20');
  return (found as { data?: { spans: { operationName: string }[] }[] } | null)?.data
    ?.flatMap(({ spans }) => spans.map(({ operationName }) => operationName))
    .filter((name) => name.startsWith('GET'));
}

function harOf(paths: readonly string[]): string {
  const entries = paths.map((of) => ({
    startedDateTime: new Date().toISOString(),
    time: 12,
    request: { method: 'GET', url: `https://shop.test${of}`, httpVersion: 'HTTP/1.1', headers: [] },
    response: { status: 500, httpVersion: 'HTTP/1.1', headers: [], content: { size: 0, mimeType: 'text/plain' } },
    timings: { send: 1, wait: 10, receive: 1 },
  }));
  const file = path.join(temporaryFolder(), 'job.har');
  fs.writeFileSync(file, JSON.stringify({ log: { entries } }));
  return file;
}

it.skipIf(!HAS_DOCKER)('the example of docs/fleet keeps traces, and its dashboard shows what was sent', async () => {
  onTestFinished(() => compose('down', '--volumes'));
  compose('up', '--detach');
  const job = harOf(['/cart/1', '/cart/2']);
  const to = ['--format', 'otlp', '--to', 'http://127.0.0.1:4318'];
  await expect.poll(async () => (await runRoundtrip(['export', job, ...to])).exitCode, { timeout: 120_000 }).toBe(0);
  await expect.poll(tracesInJaeger, { timeout: 120_000 }).toEqual(expect.arrayContaining(['GET /cart/{id}']));

  const grafana = 'http://127.0.0.1:3000/api';
  const dashboard = `${grafana}/dashboards/uid/roundtrip`;
  await expect.poll(() => ask(dashboard), { timeout: 120_000 }).toMatchObject({ dashboard: { title: 'Roundtrip' } });
  const { panels } = JSON.parse(fs.readFileSync('docs/fleet/grafana/dashboards/roundtrip.json', 'utf8'));
  for (const { title, targets } of panels as { title: string; targets: { expr: string }[] }[])
    for (const { expr } of targets) {
      const query = encodeURIComponent(expr.replace('$__range', '1h'));
      const found = () => ask(`${grafana}/datasources/proxy/uid/prometheus/api/v1/query?query=${query}`);
      // A file does not say what a proxy added.
      const result = title.includes('Roundtrip added') ? expect.any(Array) : [expect.anything()];
      await expect.poll(found, { timeout: 120_000 }).toMatchObject({ data: { result } });
    }

  compose('restart', 'jaeger');
  await expect.poll(tracesInJaeger, { timeout: 120_000 }).toEqual(expect.arrayContaining(['GET /cart/{id}']));
});
