import { NEW_REQUEST } from '../compose-draft.ts';
import type { ParsedRequest } from '../paste/parsed-request.ts';
import { IGNORED, MEANING, SILENT, SWITCHES } from './curl-options.ts';
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

/** What ends the command: a pipe, another command, or a redirection. */
const ENDS = /^(?:\|\|?&?|&&?|;|\d?>>?.*|<.*)$/;

/** Splits `-XPOST`, `-sS` and the like. Words without a dash are URLs. */
function givenIn(words: readonly string[]): Given[] {
  const given: Given[] = [];
  const waiting = [...words];
  for (let word = waiting.shift(); word !== undefined && !ENDS.test(word); word = waiting.shift()) {
    const short = word.slice(0, 2);
    const isLong = word.startsWith('--');
    if (!word.startsWith('-') || word === '-') given.push({ kind: 'url', value: word });
    else if (MEANING[word] || IGNORED.has(word)) {
      given.push({ kind: MEANING[word] ?? 'ignored', value: waiting.shift() ?? '' });
    } else if (word in SWITCHES) given.push({ kind: SWITCHES[word] ?? '', value: '' });
    else if (!isLong && (MEANING[short] || IGNORED.has(short)))
      given.push({ kind: MEANING[short] ?? 'ignored', value: word.slice(2) });
    else if (!isLong && word.length > 2) waiting.unshift(short, `-${word.slice(2)}`);
    // The word after an unknown option may be its value, and would count as a URL.
    else if (!SILENT.has(word)) given.push({ kind: 'unknown', value: word });
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
  const [url] = valuesOf('url');
  const problem = problemOf(given);
  if (url === undefined || problem !== null) return { ok: false, problem: problem ?? 'The command has no URL.' };
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

/** Why the request would lack something that curl sends; null: it lacks nothing. */
function problemOf(given: readonly Given[]): string | null {
  const unknown = given.find(({ kind }) => kind === 'unknown');
  if (unknown) return `The option ${unknown.value} can’t be read: remove it.`;
  const urls = given.filter(({ kind }) => kind === 'url');
  if (urls.length > 1) return `The command has ${urls.length} URLs: paste one.`;
  if (given.some(({ kind }) => kind === 'form'))
    return 'Forms (-F) and uploads (-T) can’t be read: paste the body as text.';
  const file = given.map(fileOf).find((name) => name !== null);
  return file === undefined ? null : `The command reads the file ${file}: paste its content.`;
}

/** The file that an option reads; null: none. */
function fileOf({ kind, value }: Given): string | null {
  if (['data', 'binary', 'json', 'header'].includes(kind)) return value.startsWith('@') ? value.slice(1) : null;
  // `name@file`; after an equals sign, an @ is content.
  if (kind === 'urlencode') return /^[^=@]*@(.*)$/s.exec(value)?.[1] ?? null;
  return kind === 'cookie' && value !== '' && !value.includes('=') ? value : null;
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
  if (equals < 0) return percentEncoded(value);
  return `${value.slice(0, equals)}${equals > 0 ? '=' : ''}${percentEncoded(value.slice(equals + 1))}`;
}

/** curl leaves only unreserved characters (RFC 3986, section 2.3). */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
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
  const bearer = valuesOf('bearer').at(-1);
  const basic = login === undefined ? undefined : `Basic ${base64(login.includes(':') ? login : `${login}:`)}`;
  const range = valuesOf('range').at(-1);
  const cookies = valuesOf('cookie').filter((value) => value !== '');
  const added: [string, string | undefined][] = [
    ['User-Agent', valuesOf('agent').at(-1)],
    ['Referer', valuesOf('referer').at(-1)],
    ['Cookie', cookies.length > 0 ? cookies.join('; ') : undefined],
    ['Authorization', bearer === undefined ? basic : `Bearer ${bearer}`],
    ['Range', range === undefined ? undefined : `bytes=${range}`],
    ['Accept', has('json') ? 'application/json' : undefined],
    ['Accept-Encoding', has('compressed') ? 'deflate, gzip, br, zstd' : undefined],
    ['Content-Type', hasBody ? (has('json') ? 'application/json' : 'application/x-www-form-urlencoded') : undefined],
  ];
  const extra = added.flatMap(([name, value]): Field[] => (value === undefined || isSet(name) ? [] : [[name, value]]));
  return [...named, ...extra];
}

/** Via UTF-8, because `btoa` throws for characters above U+00FF. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
