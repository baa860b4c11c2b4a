/**
 * Responses that violate RFC 9112 and still have one reading. Sources: its sections 2.2, 5.1, 5.2, 6.1 and 6.3;
 * llhttp's lenient flags; what curl, Python and Chromium take.
 */
export interface OddResponse {
  name: string;
  bytes: string;
  /** How the row names the fault. */
  fault: string;
  /** What an HTTP/2 client gets. */
  headers: Record<string, string>;
  body: string;
  /** Its body ends with the connection. */
  untilClosed?: true;
}

const LENGTH = 'Content-Length: 2\r\n';
const CODED = 'Transfer-Encoding: chunked\r\n';
const CHUNKS = '2\r\nok\r\n0\r\n\r\n';

const odd = (name: string, fault: string, lines: string, more: Partial<OddResponse> = {}): OddResponse => ({
  name,
  fault,
  bytes: `HTTP/1.1 200 OK\r\n${lines}`,
  headers: {},
  body: 'ok',
  ...more,
});

const FOLD = 'a folded field';
const SPACE = 'a space before a colon';
const BARE = 'a line that ends in a bare LF';
const TWICE = 'more than one Content-Length';
const BESIDE = 'Content-Length beside Transfer-Encoding';
const IDENTITY = 'Transfer-Encoding: identity';
const PADDED = 'white space behind a chunk size';
const STATUS = 'white space in the status line';
const ONE = { 'content-length': '2' };

export const ODD_RESPONSES: readonly OddResponse[] = [
  odd('a folded value', FOLD, `X: a\r\n  b\r\n\tc\r\n${LENGTH}\r\nok`, { headers: { x: 'a b c' } }),
  odd('a value that is folded at its start', FOLD, `X:\r\n a\r\n${LENGTH}\r\nok`, { headers: { x: 'a' } }),
  odd('a field in a fold', FOLD, `X: a\r\n Content-Length: 1\r\n${LENGTH}\r\nok`, {
    headers: { x: 'a Content-Length: 1', ...ONE },
  }),
  odd('a folded coding', FOLD, `Transfer-Encoding:\r\n chunked\r\n\r\n${CHUNKS}`),
  odd('a fold of nothing', FOLD, `X: a\r\n \r\n${LENGTH}\r\nok`),
  odd('a space before the colon of any field', SPACE, `X : a\r\n${LENGTH}\r\nok`, { headers: { x: 'a' } }),
  odd('a tab before the colon of a length', SPACE, 'Content-Length\t: 2\r\n\r\nok', { headers: ONE }),
  odd('a space before the colon of a coding', SPACE, `Transfer-Encoding : chunked\r\n\r\n${CHUNKS}`),
  odd('a bare LF behind a field', BARE, `X: a\n${LENGTH}\r\nok`, { headers: { x: 'a' } }),
  odd('a bare LF before the body', BARE, `${LENGTH}\nok`),
  odd('a bare LF, and the end of another head in the body', BARE, 'Content-Length: 6\n\nok\r\n\r\n', {
    body: 'ok\r\n\r\n',
  }),
  { ...odd('bare LF throughout', BARE, ''), bytes: 'HTTP/1.1 200 OK\nX: a\nContent-Length: 2\n\nok' },
  odd('a bare LF, until the connection closes', BARE, 'X: a\n\nok', { untilClosed: true }),
  odd('the same length twice', TWICE, `${LENGTH}content-length: 2\r\n\r\nok`, { headers: ONE }),
  odd('the same length in a list', TWICE, 'Content-Length: 2, 2\r\n\r\nok', { headers: ONE }),
  odd('chunks behind a shorter length', BESIDE, `Content-Length: 1\r\n${CODED}\r\n${CHUNKS}`),
  odd('chunks before a longer length', BESIDE, `${CODED}Content-Length: 99\r\n\r\n${CHUNKS}`),
  odd('identity with a length', IDENTITY, `${IDENTITY}\r\n${LENGTH}\r\nok`, { headers: ONE }),
  odd('identity until the connection closes', IDENTITY, `${IDENTITY}\r\n\r\nok`, { untilClosed: true }),
  odd(
    'gaps in the list of codings',
    'an empty element in Transfer-Encoding',
    `Transfer-Encoding: , chunked,\r\n\r\n${CHUNKS}`,
  ),
  odd('a name with a space', 'a field without a valid name ("X")', `X y: z\r\n${LENGTH}\r\nok`, {
    headers: ONE,
  }),
  odd('a name with a bracket', 'a field without a valid name ("X(")', `X(: z\r\n${LENGTH}\r\nok`, {
    headers: ONE,
  }),
  odd('a line without a name', 'a field without a valid name ("")', `: z\r\n${LENGTH}\r\nok`, { headers: ONE }),
  odd('a space behind a chunk size', PADDED, `${CODED}\r\n2 \r\nok\r\n0  \t\r\n\r\n`),
  odd(
    'a length among the trailers',
    'Content-Length among the trailers',
    `${CODED}\r\n2\r\nok\r\n0\r\nContent-Length: 9\r\n\r\n`,
  ),
  { ...odd('two spaces in the status line', STATUS, ''), bytes: `HTTP/1.1  200\t OK\r\n${LENGTH}\r\nok` },
  { ...odd('two spaces and no reason', STATUS, ''), bytes: `HTTP/1.1  200\r\n${LENGTH}\r\nok` },
  odd('a folded trailer', 'a folded trailer', `${CODED}\r\n2\r\nok\r\n0\r\nX-T: a\r\n b\r\n\r\n`),
  odd('a space before a trailer', "a space before a trailer's colon", `${CODED}\r\n2\r\nok\r\n0\r\nX-T : a\r\n\r\n`),
  {
    ...odd('chunks on HTTP/1.0', 'Transfer-Encoding on HTTP/1.0', ''),
    bytes: `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n${CODED}\r\n${CHUNKS}`,
  },
  odd(
    'everything at once',
    `${BARE}, ${FOLD}, ${SPACE}, ${BESIDE}`,
    `X: a\n b\r\n${LENGTH}Y : c\r\n${CODED}\r\n${CHUNKS}`,
    {
      headers: { x: 'a b', y: 'c' },
    },
  ),
  {
    ...odd('an interim response with a fault', BARE, ''),
    bytes: `HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 200 OK\r\n${LENGTH}\r\nok`,
  },
  odd('no body, and two codings of its end', BESIDE, `${LENGTH}${CODED}\r\n`, {
    bytes: `HTTP/1.1 304 Not Modified\r\n${LENGTH}${CODED}\r\n`,
    body: '',
  }),
];
