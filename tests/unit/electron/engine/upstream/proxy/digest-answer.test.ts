import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readChallenges } from '../../../../../../electron/engine/upstream/proxy/auth-challenge.ts';
import { DigestAnswer } from '../../../../../../electron/engine/upstream/proxy/digest-answer.ts';

const LOGIN = { user: 'Mufasa', password: 'Circle of Life' };

function answerTo(challenge: string): DigestAnswer | null {
  const [first] = readChallenges([challenge]);
  return first ? DigestAnswer.to(first, LOGIN) : null;
}

function fieldsOf(header: string): Record<string, string> {
  const [challenge] = readChallenges([header]);
  return Object.fromEntries(challenge?.params ?? []);
}

describe('a Digest answer', () => {
  // RFC 7616, section 3.9.1, gives the nonces and the answer for a client nonce that is ours to choose; so its own sum
  // is done here.
  it.each([
    ['MD5', 'md5'],
    ['SHA-256', 'sha256'],
    ['MD5-sess', 'md5'],
  ])('%s', (algorithm, name) => {
    const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
    const answer = answerTo(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", ` +
        'opaque="FQ"',
    );
    const fields = fieldsOf(answer?.header('GET', '/dir/index.html') ?? '');
    const hash = (text: string) => createHash(name).update(text).digest('hex');
    const secret = hash('Mufasa:http-auth@example.org:Circle of Life');
    const first = algorithm.endsWith('sess') ? hash(`${secret}:${nonce}:${fields.cnonce}`) : secret;
    expect(fields).toMatchObject({
      username: 'Mufasa',
      uri: '/dir/index.html',
      opaque: 'FQ',
      qop: 'auth',
      nc: '00000001',
      algorithm,
    });
    expect(fields.response).toBe(
      hash(`${first}:${nonce}:00000001:${fields.cnonce}:auth:${hash('GET:/dir/index.html')}`),
    );
    expect(fieldsOf(answer?.header('GET', '/') ?? '').nc).toBe('00000002');
  });

  it('of RFC 2617, section 3.5, without qop as RFC 2069 has it', () => {
    const answer = answerTo('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"');
    const fields = fieldsOf(answer?.header('GET', '/dir/index.html') ?? '');
    const hash = (text: string) => createHash('md5').update(text).digest('hex');
    const first = hash('Mufasa:testrealm@host.com:Circle of Life');
    expect(fields.response).toBe(hash(`${first}:dcd98b7102dd2f0e8b11d0f600bfb0c093:${hash('GET:/dir/index.html')}`));
    expect(fields.nc).toBeUndefined();
  });

  it.each(['Digest realm="r"', 'Digest nonce="n", qop="auth-int"', 'Digest nonce="n", algorithm=TOKEN'])(
    'is not possible for %s',
    (challenge) => {
      expect(answerTo(challenge)).toBeNull();
    },
  );
});
