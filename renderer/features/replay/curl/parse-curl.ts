import { NEW_REQUEST } from '../compose-draft.ts';
import type { ParsedRequest } from '../paste/parsed-request.ts';
import { IGNORED, MEANING, SWITCHES } from './curl-options.ts';
import { shellOf, shellWords } from './shell-words.ts';

/** Whether a text is meant as a cURL command rather than a URL. */
export function looksLikeCurl(text: string): boolean {
  return /^\s*curl(?:\.exe)?\s/.test(text);
}

/** One option of a command: its meaning, as in `curl-options.ts`, and its value, which is empty for a switch. */
interface Given {
  kind: string;
  value: string;
}

/** Splits `-XPOST`, `-sS`, `--header=x` and the like. Words without a dash are URLs. */
function givenIn(words: readonly string[]): Given[] {
  const given: Given[] = [];
  const waiting = [...words];
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    const short = word.slice(0, 2);
    const isLong = word.startsWith('--');
    if (!word.startsWith('-') || word === '-') given.push({ kind: 'url', value: word });
    else if (MEANING[word] || IGNORED.has(word)) {
      given.push({ kind: MEANING[word] ?? 'ignored', value: waiting.shift() ?? '' });
    } else if (word in SWITCHES) given.push({ kind: SWITCHES[word] ?? '', value: '' });
    else if (!isLong && (MEANING[short] || IGNORED.has(short)))
      given.push({ kind: MEANING[short] ?? 'ignored', value: word.slice(2) });
    else if (!isLong && word.length > 2) waiting.unshift(short, `-${word.slice(2)}`);
    // Any other option takes no value: -s, -v, -k and their like.
  }
  return given;
}

/** Reads a cURL command as bash, cmd or PowerShell would run it; browsers copy requests as such. */
export function parseCurl(command: string): ParsedRequest {
  const [program, ...words] = shellWords(command.trim(), shellOf(command));
  if (program === undefined || !/^curl(?:\.exe)?$/.test(program))
    return { ok: false, problem: 'This is not a cURL command: it must begin with curl.' };
  const given = givenIn(words);
  const valuesOf = (...kinds: string[]) => given.filter(({ kind }) => kinds.includes(kind)).map(({ value }) => value);
  const has = (kind: string) => given.some((each) => each.kind === kind);
  const url = valuesOf('url')[0];
  if (url === undefined) return { ok: false, problem: 'The command has no URL.' };
  if (has('form')) return { ok: false, problem: 'Forms (-F) and uploads (-T) can’t be read: paste the body as text.' };
  const file = valuesOf('data', 'binary', 'json', 'urlencode').find((value) => value.startsWith('@'));
  if (file !== undefined)
    return { ok: false, problem: `The command reads the file ${file.slice(1)}: paste its content.` };
  const data = dataIn(given);
  const inUrl = has('get') && data !== null;
  const body = inUrl ? null : data;
  return {
    ok: true,
    request: {
      ...NEW_REQUEST,
      method: valuesOf('method').at(-1) ?? (has('head') ? 'HEAD' : body === null ? 'GET' : 'POST'),
      url: withScheme(inUrl ? `${url}${url.includes('?') ? '&' : '?'}${data}` : url),
      headers: headersOf(valuesOf, has, body !== null),
      body: body === null ? { kind: 'none' } : { kind: 'text', text: body },
      protocol: has('h1') ? 'http/1.1' : has('h2') ? 'h2' : 'as-before',
      redirects: has('location'),
      variables: false,
    },
  };
}

/** curl assumes http where a URL has no scheme. */
function withScheme(url: string): string {
  return /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`;
}

/** All parts joined as curl joins them, or null. `--data` drops line breaks only in files. */
function dataIn(given: readonly Given[]): string | null {
  const parts = given.flatMap(({ kind, value }) => {
    if (kind === 'urlencode') return [urlEncoded(value)];
    return ['data', 'binary', 'raw', 'json'].includes(kind) ? [value] : [];
  });
  return parts.length === 0 ? null : parts.join(given.some(({ kind }) => kind === 'json') ? '' : '&');
}

/** As curl reads it: of `name=content` only the content is encoded, and `=content` has no name. */
function urlEncoded(value: string): string {
  const equals = value.indexOf('=');
  if (equals < 0) return encodeURIComponent(value);
  return `${value.slice(0, equals)}${equals > 0 ? '=' : ''}${encodeURIComponent(value.slice(equals + 1))}`;
}

type Field = [string, string];

/** The fields that the command names, and those that curl adds by other options. `Name:` removes one of curl's own. */
function headersOf(
  valuesOf: (...kinds: string[]) => string[],
  has: (kind: string) => boolean,
  hasBody: boolean,
): Field[] {
  const lines = valuesOf('header');
  const named = lines.flatMap((line): Field[] => {
    if (/^[^:]+;$/.test(line)) return [[line.slice(0, -1), '']];
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    return colon < 1 || value === '' ? [] : [[line.slice(0, colon), value]];
  });
  const isSet = (name: string) => lines.some((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const login = valuesOf('user').at(-1);
  const added: [string, string | undefined][] = [
    ['User-Agent', valuesOf('agent').at(-1)],
    ['Referer', valuesOf('referer').at(-1)],
    ['Cookie', valuesOf('cookie').at(-1)],
    ['Authorization', login === undefined ? undefined : `Basic ${base64(login)}`],
    ['Accept', has('json') ? 'application/json' : undefined],
    ['Accept-Encoding', has('compressed') ? 'deflate, gzip, br, zstd' : undefined],
    ['Content-Type', hasBody ? (has('json') ? 'application/json' : 'application/x-www-form-urlencoded') : undefined],
  ];
  const extra = added.flatMap(([name, value]): Field[] => (value === undefined || isSet(name) ? [] : [[name, value]]));
  return [...named, ...extra];
}

/** By way of UTF-8, because `btoa` throws for characters above U+00FF. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
