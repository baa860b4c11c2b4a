import type http2 from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { testCa } from '../support/test-ca.ts';
import { allowed } from './allowed-differences.ts';
import { valueDifference } from './difference.ts';
import { HTTP2_CASES } from './http2/cases.ts';
import { connectHttp2, Http2CaseOrigin, runHttp2 } from './http2/run.ts';

/** HTTP/2: each case on a direct session and on one through Roundtrip, compared at both ends. */
describe('HTTP/2', () => {
  let engine: TestEngine;
  let origin: Http2CaseOrigin;
  let direct: http2.ClientHttp2Session;
  let through: http2.ClientHttp2Session;
  let authority = '';
  let remove = (): void => {};

  beforeAll(async () => {
    const made = await testCa();
    remove = made.remove;
    origin = new Http2CaseOrigin(made.ca);
    const port = await origin.listen();
    authority = `localhost:${port}`;
    engine = await startTestEngine({ upstreamCaFiles: [made.ca.certificatePath] });
    direct = await connectHttp2(port, made.ca.certificatePem, null);
    through = await connectHttp2(port, engine.caPem, engine.port);
  });

  afterAll(async () => {
    direct.destroy();
    through.destroy();
    await engine.engine.close({ graceMs: 0 });
    origin.close();
    remove();
  });

  it.each(HTTP2_CASES)('$name', async (wire) => {
    const before = await runHttp2(wire, origin, direct, authority);
    const differs = valueDifference(before, await runHttp2(wire, origin, through, authority));
    const exception = allowed(wire.name, 'http2');
    if (exception && differs.length === 0)
      throw new Error(`no difference any more: take it off the list (${exception.reason})`);
    if (!exception && differs.length > 0) throw new Error(differs.join('\n'));
    expect(direct.closed || through.closed, 'a session has ended').toBe(false);
  });
});
