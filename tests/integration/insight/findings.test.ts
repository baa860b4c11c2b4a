import http from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SessionFiller } from '../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../electron/session/write/session-writer.ts';
import type { Finding } from '../../../shared/model/insight/finding.ts';
import { writeSession } from '../../performance/window/window-session.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { goodPageOrigin } from '../../support/good-page-origin.ts';
import { harEntries } from '../../support/har-entries.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { type Finished, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { TIMED_RULES } from '../../support/timed-rules.ts';

/** A session of what `command` requests. */
async function recorded(command: readonly string[], options: readonly string[] = []): Promise<string> {
  const folder = temporaryFolder();
  const session = path.join(folder, 'session.roundtrip');
  const own = ['--port', '0', '--session', session, '--har', path.join(folder, 'out.har'), ...options];
  const { exitCode, stderr } = await runRoundtrip(['record', ...own, '--', ...command], { folder });
  expect(exitCode, stderr).toBe(0);
  return session;
}

function findingsOf({ stdout }: Finished): Finding[] {
  return JSON.parse(stdout).findings;
}

/** Closes after each response, and never compresses. */
async function carelessOrigin(): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' }).end('waste '.repeat(5000));
  });
  const port = await listenInTest(server);
  return `http://localhost:${port}`;
}

describe('roundtrip findings', () => {
  it.skipIf(chromiumPath() === null)('finds nothing in a good page that Chromium loaded', async () => {
    const origin = await goodPageOrigin();
    const own = [
      ...CHROMIUM_FLAGS,
      '--headless',
      '--ignore-certificate-errors',
      `--user-data-dir=${temporaryFolder()}`,
    ];
    const page = [
      '--proxy-server=$http_proxy',
      '"--proxy-bypass-list=<-loopback>"',
      '--virtual-time-budget=5000',
      '--dump-dom',
    ];
    const command = ['sh', '-c', `exec ${chromiumPath()} ${own.join(' ')} ${page.join(' ')} ${origin.url}/`];
    const session = await recorded(command, ['--upstream-ca', origin.caPath]);
    const { entries } = harEntries(path.join(path.dirname(session), 'out.har'));
    expect(entries.length).toBeGreaterThanOrEqual(7);
    expect(entries.map(({ request }) => request.httpVersion)).toContain('HTTP/2.0');
    const found = await runRoundtrip(['findings', session, '--json']);
    expect(findingsOf(found).filter(({ rule }) => !TIMED_RULES.has(rule))).toEqual([]);
  });

  it('says that there is nothing to find', async () => {
    const session = path.join(temporaryFolder(), 'session.roundtrip');
    const writer = SessionWriter.open(session);
    const filler = new SessionFiller(writer);
    filler.add({ exchange: exampleExchange(), bodies: { request: null, response: null }, marks: [] });
    filler.flush();
    writer.close();
    expect((await runRoundtrip(['findings', session])).stdout).toBe('No findings.\n');
  });

  it('says how many exchanges are damaged and left out', async () => {
    const session = path.join(temporaryFolder(), 'session.roundtrip');
    writeSession(session, 4);
    const database = new DatabaseSync(session);
    database.exec("UPDATE exchange SET row = 'x' WHERE id = 2; UPDATE detail SET row = 'x' WHERE exchange = 3");
    database.close();
    const { exitCode, stdout, stderr } = await runRoundtrip(['findings', session, '--json']);
    const note = `${session}: 2 exchanges of the session are damaged and left out. Use a copy`;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(note) });
    expect(JSON.parse(stdout)).toMatchObject({ damaged: 2, notes: [expect.stringContaining(note)] });
    expect((await runRoundtrip(['findings', session])).stderr).toContain(note);
  });

  it('names what a wasteful server costs, with its rows', async () => {
    const origin = await carelessOrigin();
    // Not items of a list: on a busy machine they would be N+1 requests.
    const urls = [...'abcdefg'].map((name) => `${origin}/${name}`);
    const session = await recorded(['curl', '-sS', '--compressed', ...urls]);
    const found = await runRoundtrip(['findings', session, '--json']);
    expect(found.exitCode).toBe(0);
    const findings = new Map(findingsOf(found).map((finding) => [finding.rule, finding]));
    expect([...findings.keys()].sort()).toEqual(['compression', 'lost-keep-alive']);
    expect(findings.get('lost-keep-alive')?.exchanges).toHaveLength(6);
    expect(findings.get('lost-keep-alive')?.detail).toContain('the server closed');
    expect(findings.get('compression')).toMatchObject({ confidence: 'high', exchanges: [1, 2, 3, 4, 5, 6, 7] });
    expect(findings.get('compression')?.bytes).toBeGreaterThan(190_000);
    const { stdout } = await runRoundtrip(['findings', session]);
    expect(stdout).toContain('2 findings.');
    expect(stdout).toMatch(/^ {8}Cost: time lost .*$/m);
    expect(stdout).toMatch(/^ {8}Cost: bytes \d+ KB$/m);
  });

  it('refuses a file that is not a session, with one sentence', async () => {
    const { exitCode, stderr } = await runRoundtrip(['findings', path.resolve('README.md')]);
    expect({ exitCode, lines: stderr.trim().split('\n').length }).toEqual({ exitCode: 1, lines: 1 });
    expect(stderr).toContain('not a session file, HAR');
  });
});
