import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../electron/system/run-command.ts';
import { nodeBinary } from '../../support/cached-packages.ts';
import { harEntries } from '../../support/har-entries.ts';
import { hasProgram } from '../../support/has-program.ts';
import { type HttpsOrigin, httpsOrigin } from '../../support/https-origin.ts';
import { type Finished, RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Recorded extends Finished {
  har: string;
  folder: string;
}

async function record(
  origin: HttpsOrigin,
  command: readonly string[],
  options: readonly string[] = [],
): Promise<Recorded> {
  const folder = temporaryFolder();
  const har = path.join(folder, 'out.har');
  const own = ['--port', '0', '--upstream-ca', origin.caPath, '--har', har, ...options];
  return { ...(await runRoundtrip(['record', ...own, '--', ...command], { folder })), har, folder };
}

/** A bare repository that a dumb HTTP server can serve as files. */
function gitRepository(): string {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@a.test', ...args]);
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'First');
  git('update-server-info');
  return path.join(folder, '.git');
}

describe('roundtrip record', () => {
  it.skipIf(!hasProgram('curl'))('records curl without a flag', async () => {
    const origin = await httpsOrigin();
    const { exitCode, stdout, har } = await record(origin, ['curl', '-sS', `${origin.url}/x?y=1`]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hello\n' });
    expect(origin.seen).toEqual(['GET /x?y=1']);
    expect(harEntries(har).lines).toEqual([`GET ${origin.url}/x?y=1 200`]);
  });

  it.skipIf(!hasProgram('python3', '-c', 'import requests'))('records Python requests without a flag', async () => {
    const origin = await httpsOrigin();
    const script = `import requests; print(requests.post("${origin.url}/p", data="body").text)`;
    const { exitCode, stdout, har } = await record(origin, ['python3', '-c', script]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hello\n' });
    expect(harEntries(har).lines).toEqual([`POST ${origin.url}/p 200`]);
    expect(harEntries(har).entries[0]?.request.postData?.text).toBe('body');
  });

  it("records Node's fetch without a flag", async () => {
    const origin = await httpsOrigin();
    const script = `fetch("${origin.url}/f").then((r) => r.text()).then(console.log)`;
    const { exitCode, stdout, har } = await record(origin, [process.execPath, '-e', script]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hello\n' });
    expect(harEntries(har).lines).toEqual([`GET ${origin.url}/f 200`]);
  });

  const oldNode = nodeBinary('18.20.8');
  it.skipIf(oldNode === null)('records http and fetch of a Node that ignores the proxy variables', async () => {
    const origin = await httpsOrigin();
    const script = `fetch("${origin.url}/f").then((r) => r.text()).then(console.log).then(() =>
      require("https").get("${origin.url}/h", (r) => r.pipe(process.stdout)))`;
    const { exitCode, stdout, har } = await record(origin, [oldNode ?? '', '-e', script]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hello\nhello\n' });
    expect(harEntries(har).lines).toEqual([`GET ${origin.url}/f 200`, `GET ${origin.url}/h 200`]);
  });

  it.skipIf(!hasProgram('git'))('records git without a flag', async () => {
    const repository = gitRepository();
    const origin = await httpsOrigin((request, response) => {
      const file = path.join(repository, (request.url ?? '').replace(/\?.*$/, ''));
      if (!fs.existsSync(file) || !fs.statSync(file).isFile()) response.statusCode = 404;
      response.end(response.statusCode === 404 ? '' : fs.readFileSync(file));
    });
    const { exitCode, stdout, har } = await record(origin, ['git', 'ls-remote', origin.url]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f]{40}\tHEAD\n/);
    expect(harEntries(har).lines).toContain(`GET ${origin.url}/info/refs?service=git-upload-pack 200`);
  });

  it("reports with --json, and keeps the command's output off stdout", async () => {
    const origin = await httpsOrigin();
    const { exitCode, stdout, stderr, har } = await record(origin, ['curl', '-sS', origin.url], ['--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      expect.objectContaining({ event: 'ready' }),
      { event: 'done', har, exchanges: 1, failed: 0, lost: 0 },
    ]);
    expect(stderr).toBe('hello');
  });

  it('counts what failed', async () => {
    const origin = await httpsOrigin((request) => request.socket.destroy());
    const { exitCode, stdout, har } = await record(origin, ['curl', '-sS', origin.url], ['--json', '--no-retry']);
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ har, exchanges: 1, failed: 1 });
  });

  it.each([
    ['its exit code', 'exit 7', 7],
    ['128 + the signal that ended it', 'kill -TERM $$', 143],
  ])('passes on %s', async (_what, script, expected) => {
    const { exitCode, har } = await record(await httpsOrigin(), ['sh', '-c', script]);
    expect(exitCode).toBe(expected);
    expect(harEntries(har).lines).toEqual([]);
  });

  it('reports a missing command as a shell does', async () => {
    const { exitCode, stderr } = await record(await httpsOrigin(), ['no-such-command-here']);
    expect(exitCode).toBe(127);
    expect(stderr).toContain('no-such-command-here');
  });

  it.skipIf(process.platform === 'win32')('writes the HAR if the command removes its working folder', async () => {
    const origin = await httpsOrigin();
    const data = temporaryFolder();
    const script = `fetch("${origin.url}/f").then(() => fs.rmSync(process.cwd(), { recursive: true }))`;
    const options = ['--har', path.join(data, 'out.har'), '--data-dir', data];
    const { exitCode, stderr } = await record(origin, ['node', '-e', script], options);
    expect(exitCode, stderr).toBe(0);
    expect(harEntries(path.join(data, 'out.har')).lines).toEqual([`GET ${origin.url}/f 200`]);
  });

  it('ends at SIGINT with the HAR written and exit code 0', async () => {
    const origin = await httpsOrigin();
    const cli = new RoundtripCli(['record', '--port', '0', '--upstream-ca', origin.caPath, '--har', 'o.har', '--json']);
    const { proxy, ca } = await cli.ready();
    expect(await curlThrough(proxy, ca, `${origin.url}/before`)).toBe('hello');
    cli.child.kill('SIGINT');
    expect(await cli.finished).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
    expect(harEntries(path.join(cli.folder, 'o.har')).lines).toEqual([`GET ${origin.url}/before 200`]);
  });

  // Four processes with four threads each, on any machine.
  it('writes a HAR and a session for each of several recordings in one folder at once', async () => {
    const origin = await httpsOrigin();
    const folder = temporaryFolder();
    const own = ['record', '--port', '0', '--upstream-ca', origin.caPath, '--json'];
    const runs = [1, 2, 3, 4].map((n) => runRoundtrip([...own, '--', 'curl', '-sS', `${origin.url}/${n}`], { folder }));
    const done = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
    const written = fs.readdirSync(folder).filter((name) => name.startsWith('roundtrip-'));
    expect(written.sort()).toEqual(done.map(({ har }) => path.basename(har)).sort());
    const lines = done.map(({ har }) => harEntries(har).lines);
    expect(lines).toEqual([1, 2, 3, 4].map((n) => [`GET ${origin.url}/${n} 200`]));
    expect(fs.readdirSync(path.join(folder, 'data/roundtrip/sessions'))).toHaveLength(4);
  });

  it('writes complete HARs if several processes write to one name at once', async () => {
    const origin = await httpsOrigin();
    const folder = temporaryFolder();
    const har = path.join(folder, 'shared.har');
    const own = ['record', '--port', '0', '--upstream-ca', origin.caPath, '--har', har];
    const runs = [1, 2, 3].map((n) => runRoundtrip([...own, '--', 'curl', '-sS', `${origin.url}/${n}`], { folder }));
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(harEntries(har).lines).toHaveLength(1);
    expect(fs.readdirSync(folder).filter((name) => name.includes('shared.har'))).toEqual(['shared.har']);
  });

  it('keeps the session at the given path', async () => {
    const session = path.join(temporaryFolder(), 's.roundtrip');
    const origin = await httpsOrigin();
    await record(origin, ['curl', '-sS', origin.url], ['--session', session]);
    const again = await record(origin, ['curl', '-sS', origin.url], ['--session', session]);
    expect(harEntries(again.har).lines).toHaveLength(2);
    expect(fs.statSync(session).mode & 0o777).toBe(0o600);
  });
});

async function curlThrough(proxy: string, ca: string, url: string): Promise<string> {
  const own = ['--noproxy', '', '--proxy', proxy, '--cacert', ca];
  return (await runCommand(['curl', '-sS', ...own, url], process.env)).stdout;
}
