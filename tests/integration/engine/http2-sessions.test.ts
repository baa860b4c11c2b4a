import { once } from 'node:events';
import type http2 from 'node:http2';
import { describe, expect, it } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, PREFACE, requestHead } from '../../support/http2-frames.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

/**
 * An origin that takes `limit` streams on a session, and responds when `together` requests have arrived; to `/first` at
 * once. Node's server still counts a finished stream for a moment, and would refuse the next one.
 */
async function limitedOrigin(limit: number, together: number) {
  const sessions: http2.ServerHttp2Session[] = [];
  let waiting: http2.ServerHttp2Stream[] = [];
  const respond = (stream: http2.ServerHttp2Stream): void => {
    stream.respond({ ':status': 200 });
    stream.end('ok');
  };
  const origin = await http2Origin(
    (stream, headers) => {
      if (headers[':path'] === '/first') {
        respond(stream);
        return;
      }
      waiting.push(stream);
      if (waiting.length < together) return;
      for (const each of waiting) respond(each);
      waiting = [];
    },
    { settings: { maxConcurrentStreams: limit } },
  );
  origin.server.on('session', (session) => sessions.push(session));
  return { origin, sessions };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_each, index) => index);

/** The failures of attempts that were followed by another. */
const repeated = ({ seen }: TestEngine): unknown[] =>
  seen.all
    .filter(({ attempts }) => attempts.length > 1)
    .map(({ attempts }) => attempts.map((each) => [each.connection?.id, each.failure?.code, each.retryReason]));

// RFC 9113, section 5.1.2
describe('the number of requests that an origin takes on one session', () => {
  it('reaches the client, which queues the rest: the origin sees one session', async () => {
    const { origin, sessions } = await limitedOrigin(100, 50);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const responses = await Promise.all(numbers(200).map((n) => responseOf(client.request({ ':path': `/${n}` }))));
    expect(responses.filter(({ body }) => body === 'ok')).toHaveLength(200);
    expect(client.remoteSettings.maxConcurrentStreams).toBe(100);
    expect(sessions).toHaveLength(1);
  });

  it('reaches the client again when the origin changes it, up to our own limit', async () => {
    const { origin, sessions } = await limitedOrigin(100, 1);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { http2Streams: 300 });
    const client = await http2Client(through, origin.port);
    await responseOf(client.request({ ':path': '/first' }));
    for (const [said, heard] of [
      [7, 7],
      [0, 0],
      [5000, 300],
    ]) {
      const changed = once(client, 'remoteSettings');
      sessions[0]?.settings({ maxConcurrentStreams: said });
      expect((await changed)[0]).toMatchObject({ maxConcurrentStreams: heard });
    }
  });

  it('holds for the session that takes the place of a lost one, and no request is refused first', async () => {
    const { origin, sessions } = await limitedOrigin(10, 5);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    expect((await responseOf(client.request({ ':path': '/first' }))).body).toBe('ok');
    const [first] = sessions;
    if (!first) throw new Error('no session');
    first.destroy();
    await once(first, 'close');
    await through.upstreamCount(0);
    const responses = await Promise.all(numbers(60).map((n) => responseOf(client.request({ ':path': `/${n}` }))));
    expect(responses.filter(({ body }) => body === 'ok')).toHaveLength(60);
    expect(sessions).toHaveLength(2);
  });
});

describe('more requests than an origin takes on one session', () => {
  it('are spread over further sessions, and none is refused first: 60 of a client that heard of no limit', async () => {
    const { origin, sessions } = await limitedOrigin(10, 60);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await openSecureTunnel(through, origin.port, ['h2']);
    const head = requestHead('GET', `localhost:${origin.port}`);
    const asked = numbers(60).map((each) => frame(FRAME.headers, END_HEADERS | END_STREAM, each * 2 + 1, head));
    client.resume().write(Buffer.concat([PREFACE, ...asked]));
    await through.seen.ended1(() => through.seen.all.length === 60);
    expect(through.seen.all.map(({ response }) => response?.status)).toEqual(numbers(60).map(() => 200));
    expect(sessions).toHaveLength(6);
    expect(repeated(through)).toEqual([]);
  });

  it('wait for room, which is not kept for clients that left', async () => {
    const { origin, sessions } = await limitedOrigin(1, 1);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { socketsPerOrigin: 1 });
    const client = await http2Client(through, origin.port);
    const asked = numbers(30).map((each) => client.request({ ':path': `/${each}` }));
    const responses = asked.map((each) => responseOf(each));
    for (const [index, stream] of asked.entries()) if (index % 3 === 1) stream.close(8);
    const bodies = (await Promise.all(responses)).map(({ body }) => body);
    expect(bodies.filter((_body, index) => index % 3 !== 1)).toEqual(numbers(20).map(() => 'ok'));
    expect(sessions).toHaveLength(1);
  });
});
