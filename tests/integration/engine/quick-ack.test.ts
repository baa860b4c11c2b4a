import { execFile } from 'node:child_process';
import http from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { listenInTest } from '../../support/listen-in-test.ts';

const CAN_RUN = process.platform === 'linux' && hasProgram('python3', '-c', 'import requests');
/** The shortest time by which Linux delays an acknowledgement, milliseconds (TCP_DELACK_MIN). */
const DELAY = 40;
/** Linux acknowledges the first segments of a connection at once. */
const FIRST = 20;
const POSTS = 40;

const SCRIPT = `
import sys, requests
session = requests.Session()
session.trust_env = False
session.headers.update({'User-Agent': sys.argv[3]} if sys.argv[3] else {})
for number in range(${POSTS}):
    session.post(sys.argv[1], data=b'x' * 200, proxies={'http': sys.argv[2]}).raise_for_status()
`;

/** Times between head and body of the later requests, milliseconds. */
async function sends(userAgent: string): Promise<number[]> {
  const origin = http.createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  const url = `http://localhost:${await listenInTest(origin)}/`;
  const { port, seen } = await testEngine();
  await promisify(execFile)('python3', ['-c', SCRIPT, url, `http://127.0.0.1:${port}`, userAgent]);
  expect(seen.all).toHaveLength(POSTS);
  return seen.all.slice(FIRST).map(({ timings }) => timings.send);
}

describe.skipIf(!CAN_RUN)('Python requests, which turns Nagle on for proxies', () => {
  it('does not wait for our acknowledgements', async () => {
    expect(Math.min(...(await sends('')))).toBeLessThan(DELAY - 1);
  });

  it('waits under the name of a client that may do the same without a proxy', async () => {
    expect(Math.max(...(await sends('other/1.0')))).toBeGreaterThanOrEqual(DELAY - 1);
  });
});
