import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { echoOrigin } from '../../support/echo-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { ruleList } from '../../support/rule-list.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function start(settings: Partial<Settings>, ...actions: object[]) {
  const origin = await echoOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], ...settings });
  const rules = actions.map((action, index) => ({ name: `rule ${index}`, do: [action] }));
  if (rules.length > 0) through.engine.applyRules(ruleList(...rules));
  const run = async (where: string, ...args: string[]) => {
    const from = performance.now();
    const result = await curl(through, `https://localhost:${origin.port}${where}`, ...args);
    return { ...result, ms: performance.now() - from };
  };
  return { ...through, origin, run };
}

/** Node's timers may fire a fraction of a millisecond early. Milliseconds. */
const EARLY = 1;

/** Milliseconds that `bytes` take at a speed in kbit/s. */
const transfer = (bytes: number, kbps: number) => (bytes * 8) / kbps;

/** Blocks for this many milliseconds. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe.each([['--http1.1'], ['--http2']])('a throttled exchange, %s', (protocol) => {
  it('takes as long as the figures of its rule say, and counts it as time of the rules', async () => {
    const { run, seen } = await start({}, { throttle: { downKbps: 1000, rttMs: 60 } });
    const { stdout, ms } = await run('/size/50000', protocol);
    expect(stdout.length).toBe(50_000);
    // Three round trips: TCP, TLS and the request.
    expect(ms).toBeGreaterThanOrEqual(transfer(50_000, 1000) + 3 * 60);
    const { timings, rules, state } = await seen.ended1();
    expect(state).toBe('complete');
    expect(rules.map(({ actions }) => actions)).toEqual([['throttle']]);
    // However busy the machine is: two handshakes and half a round trip; then another half, and the whole body.
    const { receive, rulesResponse, overheadResponse } = timings;
    expect(timings.rules).toBeGreaterThanOrEqual(2.5 * 60 - EARLY);
    expect(rulesResponse + overheadResponse).toBeGreaterThanOrEqual(60 / 2 + transfer(50_000, 1000) - EARLY);
    expect(receive).toBeGreaterThanOrEqual(rulesResponse + overheadResponse - EARLY);
  });

  it('sends a request’s body at the speed of the link', async () => {
    const { run, seen } = await start({}, { throttle: { upKbps: 1000 } });
    const file = path.join(temporaryFolder(), 'body');
    fs.writeFileSync(file, 'x'.repeat(40_000));
    const { stdout, ms } = await run('/echo', protocol, '--data-binary', `@${file}`);
    expect(JSON.parse(stdout).body.length).toBe(40_000);
    expect(ms).toBeGreaterThanOrEqual(transfer(40_000, 1000));
    const { timings, request } = await seen.ended1();
    expect(request.body).toMatchObject({ size: 40_000, complete: true });
    // What crosses before the server can accept it counts as waiting for the connection.
    const { dns, connect, blocked, rulesSend } = timings;
    const before = Math.max(dns, 0) + Math.max(connect, 0) + blocked;
    expect(before + rulesSend).toBeGreaterThanOrEqual(transfer(40_000, 1000) - EARLY);
    expect(timings.send).toBeGreaterThanOrEqual(rulesSend);
  });

  it('keeps chunks, trailers and a changed response', async () => {
    const change = { changeResponse: { replaceBody: [{ find: 'cat', with: 'dog' }] } };
    const { run, engine } = await start({}, { throttle: { profile: 'Wi-Fi' } }, change);
    expect((await run('/chunked', protocol)).stdout).toBe('the dog and the dog');
    engine.applyRules(ruleList({ name: 'a', do: [{ throttle: {} }] }));
    expect((await run('/chunked', protocol, '-i', '--raw')).stdout).toMatch(/the cat .*and the .*cat.*x-sum: 3/s);
  });

  it('throttles everything by the setting, and large bodies pass whole', async () => {
    const { run, seen, apply, origin } = await start({ throttle: 'Slow 3G' });
    expect((await run('/size/10', protocol)).ms).toBeGreaterThanOrEqual(3 * 400);
    const custom = { name: 'Mine', downKbps: 200_000, rttMs: 1, jitterMs: 1, seed: 3 };
    apply({ throttle: 'Mine', throttleProfiles: [custom], upstreamCaFiles: [origin.caPath] });
    const file = path.join(temporaryFolder(), 'large');
    await run('/size/3000000', protocol, '-o', file);
    expect(fs.statSync(file).size).toBe(3_000_000);
    expect((await seen.ended1()).rules).toEqual([]);
  });

  it('ends a throttled exchange whose client leaves', async () => {
    const { run, seen } = await start({}, { throttle: { downKbps: 8 } });
    expect((await run('/size/100000', protocol, '-m', '1')).exitCode).toBe(28);
    expect(await seen.ended1()).toMatchObject({ state: 'aborted' });
  });

  it('answers by a rule at the speed of the link, and cuts where a rule says', async () => {
    const throttle = { throttle: { downKbps: 800 } };
    const { run, engine, origin, seen } = await start({}, throttle, { answer: { body: 'x'.repeat(20_000) } });
    const { stdout, ms } = await run('/size/1', protocol);
    expect(stdout.length).toBe(20_000);
    expect(ms).toBeGreaterThanOrEqual(transfer(20_000, 800));
    expect(origin.requests).toEqual([]);
    const rules = [{ name: 'cut', do: [throttle, { fail: { how: 'truncate', bytes: 5000 } }] }];
    engine.applyRules(ruleList(...rules));
    const cut = await run('/size/20000', protocol);
    expect(cut.exitCode).toBeGreaterThan(0);
    await expect.poll(() => seen.all).toHaveLength(2);
    const last = seen.all[1];
    expect(Buffer.concat(seen.bodies.get(`${last?.id} response`) ?? [])).toHaveLength(5000);
    // Over HTTP/2, curl drops what it reads together with RST_STREAM.
    if (protocol === '--http1.1') expect(cut.stdout.length).toBe(5000);
    else expect(cut.stdout.length).toBeLessThanOrEqual(5000);
  });
});

it('counts the time on the link as time of the rules, although the engine is busy meanwhile', async () => {
  const origin = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const { engine, port, seen } = await testEngine();
  const rules = [{ name: 'slow', do: [{ throttle: { rttMs: 60 } }] }];
  engine.applyRules(ruleList(...rules));
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const request = `GET http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`;
  socket.write(request);
  await seen.ended1(({ id }) => id === 1);
  // This process is the engine's too: the bytes leave, and nothing reads them before they have crossed the link.
  socket.write(request);
  work(60);
  expect((await seen.ended1(({ id }) => id === 2)).timings.rules).toBeGreaterThanOrEqual(60 / 2 - EARLY);
});

it('shares one link between exchanges', async () => {
  const { run } = await start({}, { throttle: { downKbps: 800 } });
  const from = performance.now();
  await Promise.all([run('/size/20000'), run('/size/20000'), run('/size/20000')]);
  expect(performance.now() - from).toBeGreaterThanOrEqual(transfer(60_000, 800));
});

it('throttles tunnels that are passed through', async () => {
  const { run, origin } = await start({ throttle: 'Slow 4G', intercept: false });
  const { stdout, ms } = await run('/size/40000', '-k', '--cacert', origin.caPath);
  expect(stdout.length).toBe(40_000);
  expect(ms).toBeGreaterThanOrEqual(transfer(40_000, 1600) + 150);
});
