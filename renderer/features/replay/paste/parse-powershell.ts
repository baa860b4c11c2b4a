import type { ComposedRequest } from '../../../../shared/model/replay/composed-request.ts';
import { NEW_REQUEST } from '../compose-draft.ts';
import type { ParsedRequest } from './parsed-request.ts';
import { PasteFault, powershellTokens } from './powershell-tokens.ts';
import { type Pair, PowershellReader, type PowershellValue } from './powershell-values.ts';

const COMMAND = /^(Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$/i;

/** Matches these options, whatever their case. */
function options(names: string): RegExp {
  return new RegExp(`^-(${names.trim().split(/\s+/).join('|')})$`, 'i');
}

/** Options without a value. */
const SWITCHES = options(`
  UseBasicParsing DisableKeepAlive SkipCertificateCheck SkipHeaderValidation SkipHttpErrorCheck PassThru NoProxy
  UseDefaultCredentials Verbose AllowUnencryptedAuthentication PreserveAuthorizationOnRedirect
`);
/** Options that control how PowerShell works, not what it sends. */
const IGNORED = options(`
  OutFile TimeoutSec ConnectionTimeoutSeconds OperationTimeoutSeconds SessionVariable Proxy SslProtocol
  MaximumRetryCount RetryIntervalSec ErrorAction ResponseHeadersVariable StatusCodeVariable DisableNameChecking
`);
const KNOWN = options(
  'Uri Method CustomMethod Headers Body ContentType UserAgent WebSession MaximumRedirection HttpVersion',
);

type Options = Map<string, PowershellValue>;

export function looksLikePowershell(text: string): boolean {
  return (
    /^\s*(?:\$\w+(?:\.\w+)*\s*[=.(]|(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s)/i.test(text) &&
    /invoke-|\b(iwr|irm)\b/i.test(text)
  );
}

/** Reads a command of PowerShell's web cmdlets, as Chrome copies it, with the session before it. */
export function parsePowershell(command: string): ParsedRequest {
  try {
    return { ok: true, request: requestIn(command) };
  } catch (error) {
    if (error instanceof PasteFault) return { ok: false, problem: error.message };
    throw error;
  }
}

function requestIn(command: string): ComposedRequest {
  const reader = new PowershellReader(
    powershellTokens(command, (name) => {
      throw new PasteFault(`The command uses $${name} inside a string: paste its value.`);
    }),
  );
  let found: Options | null = null;
  for (reader.skipEnds(); !reader.isOver; reader.skipEnds()) {
    const options = statement(reader);
    if (options && found) throw new PasteFault('The text contains several requests: paste one.');
    found ??= options;
  }
  if (found === null) throw new PasteFault('The text has no Invoke-WebRequest or Invoke-RestMethod.');
  return requestOf(found);
}

/** Reads one statement. The options of a request; null: it sets something. */
function statement(reader: PowershellReader): Options | null {
  const first = reader.take();
  if (first.kind === 'word' && COMMAND.test(first.text)) return optionsIn(reader);
  if (first.kind !== 'variable') throw new PasteFault('Only Invoke-WebRequest and Invoke-RestMethod can be read.');
  const [name = '', property = '', method = ''] = first.text.toLowerCase().split('.');
  const target = reader.variables.get(name);
  if (reader.takes('=')) {
    const { next } = reader;
    if (next.kind === 'word' && COMMAND.test(next.text)) {
      reader.take();
      return optionsIn(reader);
    }
    const value = reader.value();
    if (property === '') reader.variables.set(name, value);
    else if (property === 'useragent' && target?.kind === 'session' && value.kind === 'text') target.agent = value.text;
    else throw new PasteFault(`$${first.text} can’t be read.`);
    return null;
  }
  reader.expect('(');
  const given = reader.value();
  if (property === 'add' && target?.kind === 'table' && given.kind === 'text') {
    reader.expect(',');
    target.pairs.push([given.text, reader.text(given.text)]);
  } else if (method === 'add' && target?.kind === 'session' && given.kind === 'cookie')
    target.cookies.push(given.cookie);
  else throw new PasteFault(`$${first.text}(…) can’t be read.`);
  reader.expect(')');
  return null;
}

/** Values by the names of their options, in lower case. A value without a name is the URL. */
function optionsIn(reader: PowershellReader): Options {
  const options: Options = new Map();
  while (!reader.isOver && reader.next.kind !== 'end') {
    if (reader.takes('|')) {
      // What processes the response afterwards.
      reader.skipStatement();
      break;
    }
    const { next } = reader;
    if (next.kind !== 'word' || !next.text.startsWith('-')) {
      options.set('uri', reader.value());
      continue;
    }
    reader.take();
    const name = next.text.replace(/:$/, '');
    if (SWITCHES.test(name)) continue;
    if (/^-(InFile|Form|Certificate|Credential|Authentication|Token)$/i.test(name))
      throw new PasteFault(`${name} can’t be read: paste what it sends as text.`);
    if (!KNOWN.test(name) && !IGNORED.test(name)) throw new PasteFault(`The option ${name} can’t be read: remove it.`);
    const value = reader.value();
    if (KNOWN.test(name)) options.set(name.slice(1).toLowerCase(), value);
  }
  return options;
}

function textIn(options: Options, name: string): string | null {
  const value = options.get(name);
  if (value === undefined) return null;
  if (value.kind === 'text') return value.text;
  throw new PasteFault(`-${name} is not text that can be read.`);
}

function requestOf(options: Options): ComposedRequest {
  const given = textIn(options, 'uri');
  if (given === null) throw new PasteFault('The command has no URL: -Uri is missing.');
  const method = textIn(options, 'custommethod') ?? textIn(options, 'method')?.toUpperCase() ?? 'GET';
  const body = bodyIn(options);
  const url = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  // A table is the query of a GET, and a form otherwise (Invoke-WebRequest, -Body).
  const isQuery = method === 'GET' && options.get('body')?.kind === 'table';
  const sent = isQuery ? null : body;
  const version = textIn(options, 'httpversion');
  return {
    ...NEW_REQUEST,
    method,
    url: isQuery && body !== null ? `${url}${url.includes('?') ? '&' : '?'}${body}` : url,
    headers: headersIn(options, sent !== null && method !== 'GET'),
    body: sent === null ? { kind: 'none' } : { kind: 'text', text: sent },
    protocol: version === null ? 'as-before' : version.startsWith('2') ? 'h2' : 'http/1.1',
    redirects: textIn(options, 'maximumredirection') !== '0',
    variables: false,
  };
}

function bodyIn(options: Options): string | null {
  const value = options.get('body');
  if (value?.kind !== 'table') return textIn(options, 'body');
  return value.pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

/** Chrome copies HTTP/2's pseudo-header fields without their colons. */
const PSEUDO = ['authority', 'method', 'path', 'scheme'];

function headersIn(options: Options, isForm: boolean): Pair[] {
  const value = options.get('headers');
  if (value !== undefined && value.kind !== 'table') throw new PasteFault('-Headers is not a table that can be read.');
  const all = value?.pairs ?? [];
  const names = new Set(all.map(([name]) => name.toLowerCase()));
  const isPseudo = PSEUDO.every((name) => names.has(name));
  const named = all.filter(([name]) => !(isPseudo && PSEUDO.includes(name.toLowerCase())));
  const session = options.get('websession');
  const { agent = null, cookies = [] } = session?.kind === 'session' ? session : {};
  const cookie = cookies.map(([name, text]) => `${name}=${text}`).join('; ');
  const extra: [string, string | null][] = [
    ['User-Agent', textIn(options, 'useragent') ?? agent],
    ['Cookie', cookie === '' ? null : cookie],
    ['Content-Type', textIn(options, 'contenttype') ?? (isForm ? 'application/x-www-form-urlencoded' : null)],
  ];
  const added = extra.flatMap(([name, text]): Pair[] =>
    text === null || names.has(name.toLowerCase()) ? [] : [[name, text]],
  );
  return [...named, ...added];
}
