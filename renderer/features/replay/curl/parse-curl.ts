import type { ComposedBody } from '../../../../shared/model/replay/composed-request.ts';
import { NEW_REQUEST } from '../compose-draft.ts';
import type { ParsedRequest } from '../paste/parsed-request.ts';
import { curlBody, fileOfValue, type Given } from './curl-body.ts';
import { IGNORED, MEANING, SILENT, SWITCHES } from './curl-options.ts';
import { curlUrl, urlQuery } from './curl-url.ts';
import { shellOf, shellWords } from './shell-words.ts';

/** Documentation shows commands behind a prompt. */
const COMMAND = /^\s*(?:[$>%]\s+)?(?=curl(?:\.exe)?\s)/;

/** Whether a text is meant as a cURL command rather than a URL. */
export function looksLikeCurl(text: string): boolean {
  return COMMAND.test(text);
}

/** What ends the command: a pipe, another command, a redirection, or a comment. */
const ENDS = /^(?:\|\|?&?|&&?|;|\d?>>?.*|<.*|#.*)$/s;

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
  const [program, ...words] = shellWords(command.replace(COMMAND, '').trim(), shellOf(command));
  if (program === undefined || !/^curl(?:\.exe)?$/.test(program))
    return { ok: false, problem: 'This is not a cURL command: it must begin with curl.' };
  const given = givenIn(words);
  const valuesOf = (...kinds: string[]) => given.filter(({ kind }) => kinds.includes(kind)).map(({ value }) => value);
  const has = (kind: string) => given.some((each) => each.kind === kind);
  const [url] = valuesOf('url');
  const problem = problemOf(given);
  if (url === undefined || problem !== null) return { ok: false, problem: problem ?? 'The command has no URL.' };
  const body = curlBody(given);
  if (typeof body === 'string') return { ok: false, problem: body };
  if (has('get') && body.kind === 'file')
    return { ok: false, problem: `The command puts the file ${body.path} into its URL: paste the content.` };
  const inUrl = has('get') && body.kind === 'text';
  const queries = inUrl ? [body.text] : valuesOf('url-query').map(urlQuery);
  const target = curlUrl(url, queries, valuesOf('upload')[0] ?? '', has('literal'));
  const sent: ComposedBody = inUrl ? { kind: 'none' } : body;
  return {
    ok: true,
    request: {
      ...NEW_REQUEST,
      method: valuesOf('method').at(-1) ?? methodOf(has, sent),
      url: target.url,
      headers: headersOf(valuesOf, has, sent, target.login),
      body: sent,
      protocol: has('h1') ? 'http/1.1' : has('h2') ? 'h2' : 'as-before',
      redirects: has('location'),
      variables: false,
    },
  };
}

/** The method of a command that sets none. */
function methodOf(has: (kind: string) => boolean, body: ComposedBody): string {
  if (has('head')) return 'HEAD';
  if (has('upload')) return 'PUT';
  return body.kind === 'none' ? 'GET' : 'POST';
}

/** Why the request would lack something that curl sends; null: it lacks nothing. */
function problemOf(given: readonly Given[]): string | null {
  const unknown = given.find(({ kind }) => kind === 'unknown');
  if (unknown) return `The option ${unknown.value} can’t be read: remove it.`;
  const urls = given.filter(({ kind }) => kind === 'url');
  if (urls.length > 1) return `The command has ${urls.length} URLs: paste one.`;
  const file = given.map(fileOf).find((name) => name !== null);
  return file === undefined ? null : `The command reads the file ${file}: paste its content.`;
}

/** The file that fields, cookies or the query come from; null: none. */
function fileOf({ kind, value }: Given): string | null {
  if (kind === 'header') return value.startsWith('@') ? value.slice(1) : null;
  if (kind === 'url-query') return value.startsWith('+') ? null : fileOfValue(value);
  return kind === 'cookie' && value !== '' && !value.includes('=') ? value : null;
}

type Field = [string, string];

/** The fields that the command names, and those that curl adds by other options. `Name:` removes one of curl's own. */
function headersOf(
  valuesOf: (...kinds: string[]) => string[],
  has: (kind: string) => boolean,
  body: ComposedBody,
  loginInUrl: string | null,
): Field[] {
  const lines = valuesOf('header');
  const named = lines.flatMap((line): Field[] => {
    if (/^[^:]+;$/.test(line)) return [[line.slice(0, -1), '']];
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    return colon < 1 || value === '' ? [] : [[line.slice(0, colon), value]];
  });
  const isSet = (name: string) => lines.some((line) => /^[^:;]*/.exec(line)?.[0].toLowerCase() === name.toLowerCase());
  const login = valuesOf('user').at(-1) ?? loginInUrl;
  const bearer = valuesOf('bearer').at(-1);
  const basic = login === null ? undefined : `Basic ${base64(login.includes(':') ? login : `${login}:`)}`;
  const range = valuesOf('range').at(-1);
  const cookies = valuesOf('cookie').filter((value) => value !== '');
  const added: [string, string | undefined][] = [
    // An empty one removes curl's own.
    ['User-Agent', valuesOf('agent').at(-1) || undefined],
    // `;auto` is for the redirects that follow.
    [
      'Referer',
      valuesOf('referer')
        .at(-1)
        ?.replace(/;auto$/, '') || undefined,
    ],
    ['Cookie', cookies.length > 0 ? cookies.join('; ') : undefined],
    ['Authorization', bearer === undefined ? basic : `Bearer ${bearer}`],
    ['Range', range === undefined ? undefined : `bytes=${range}`],
    ['Accept', has('json') ? 'application/json' : undefined],
    ['Accept-Encoding', has('compressed') ? 'deflate, gzip, br, zstd' : undefined],
    ['Content-Type', typeOf(has, body)],
  ];
  const extra = added.flatMap(([name, value]): Field[] => (value === undefined || isSet(name) ? [] : [[name, value]]));
  return [...named, ...extra];
}

/** An upload has no type, and that of a form comes with its boundary as it is sent. */
function typeOf(has: (kind: string) => boolean, body: ComposedBody): string | undefined {
  if (has('json')) return 'application/json';
  return body.kind === 'none' || body.kind === 'form' || has('upload')
    ? undefined
    : 'application/x-www-form-urlencoded';
}

/** Via UTF-8, because `btoa` throws for characters above U+00FF. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
