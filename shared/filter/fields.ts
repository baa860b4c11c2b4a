import { type ExchangePhase, earliestPhase } from '../model/rule/exchange-phase.ts';
import { comparison, type Unit } from './comparison.ts';
import { IS_WORDS, isWord, phaseOfWord } from './is-words.ts';
import { type FigureRange, type Predicate, type Query, QueryError } from './query.ts';
import { requiredByTerm } from './required-text.ts';
import { globOrPart, globOrPartOfLower } from './text-match.ts';
import type { Token } from './tokens.ts';

type Term = Extract<Token, { kind: 'term' }>;

interface About {
  /** One line for a list of completions. */
  about: string;
  examples: readonly string[];
  /** The phase of an exchange from which on the field has its value: earlier rules can't use it. */
  known: ExchangePhase;
}

interface Field extends About {
  /** The values that may follow the colon, if they are a fixed list. */
  values?: readonly string[];
  compile: (value: string, term: Term) => Predicate;
  /** For a field with figures: the range that contains all matches. */
  figure?: (value: string, term: Term) => FigureRange;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'];
const TYPES = ['html', 'css', 'javascript', 'json', 'xml', 'image', 'font', 'audio', 'video', 'text', 'form', 'wasm'];

function partsOf(value: string, { quoted }: Term): string[] {
  return quoted ? [value] : value.split(',').filter((part) => part !== '');
}

/** With several values, `method:POST,PUT`, at least one must match. */
function anyOf(compile: (value: string, term: Term) => Predicate): Field['compile'] {
  return (value, term) => {
    const predicates = partsOf(value, term).map((part) => compile(part, term));
    const [only] = predicates;
    if (predicates.length === 1 && only) return only;
    return (row) => predicates.some((fits) => fits(row));
  };
}

function measured(about: About, unit: Unit, of: (row: Parameters<Predicate>[0]) => number): Field {
  return {
    ...about,
    compile: anyOf((value, term) => {
      const { fits } = comparison(value, unit, term);
      // -1 stands for "unknown", and an unknown duration is not below any other.
      return (row) => of(row) >= 0 && fits(of(row));
    }),
    figure: (value, term) => {
      const ranges = partsOf(value, term).map((part) => comparison(part, unit, term));
      const low = Math.min(...ranges.map((range) => range.low));
      const high = Math.max(...ranges.map((range) => range.high));
      return { field: term.field ?? '', of, low, high, fits: (actual) => ranges.some(({ fits }) => fits(actual)) };
    },
  };
}

function textual(about: About, of: (row: Parameters<Predicate>[0]) => string): Field {
  const lower = oncePerRow(of);
  return {
    ...about,
    compile: anyOf((value) => {
      const fits = globOrPartOfLower(value);
      return (row) => fits(lower(row));
    }),
  };
}

/** A row's text in lower case. Hundreds of rules may test the same row: the first of them creates it. */
function oncePerRow(of: (row: Parameters<Predicate>[0]) => string): (row: Parameters<Predicate>[0]) => string {
  let last: Parameters<Predicate>[0] | null = null;
  let text = '';
  return (row) => {
    if (row !== last) text = of(row).toLowerCase();
    last = row;
    return text;
  };
}

const lowerMethod = oncePerRow((row) => row.method);

const FIELDS: Record<string, Field> = {
  status: measured(
    {
      about: 'Response status',
      examples: ['status:404', 'status:4xx', 'status:>=400', 'status:200..299'],
      known: 'response',
    },
    'status',
    (row) => (row.status === 0 ? -1 : row.status),
  ),
  method: {
    about: 'Request method',
    examples: ['method:POST', 'method:POST,PUT'],
    known: 'request',
    values: METHODS,
    compile: anyOf((value) => {
      const wanted = value.toLowerCase();
      return (row) => lowerMethod(row) === wanted;
    }),
  },
  host: textual(
    { about: 'Host, or a part of it', examples: ['host:api', 'host:*.example.com'], known: 'request' },
    (row) => row.authority,
  ),
  path: textual(
    { about: 'Path and query, or a part of them', examples: ['path:/v1', 'path:/users/*'], known: 'request' },
    (row) => row.path,
  ),
  url: textual(
    { about: 'Whole address, or a part of it', examples: ['url:https://api'], known: 'request' },
    (row) => `${row.scheme}://${row.authority}${row.path}`,
  ),
  type: {
    about: 'Media type of the response, or a part of it',
    examples: ['type:json', 'type:image'],
    known: 'response',
    values: TYPES,
    compile: anyOf((value) => {
      const fits = globOrPart(value.toLowerCase() === 'js' ? 'javascript' : value);
      return (row) => fits(row.mediaType);
    }),
  },
  scheme: {
    about: 'http or https',
    examples: ['scheme:https'],
    known: 'request',
    values: ['http', 'https'],
    compile: anyOf((value, term) => oneOf(['http', 'https'], value, term, (row) => row.scheme)),
  },
  protocol: {
    about: 'Protocol of the client',
    examples: ['protocol:h2', 'protocol:http/1.1'],
    known: 'request',
    values: ['h2', 'http/1.1', 'http/1.0', 'tunnel'],
    compile: anyOf((value, term) =>
      oneOf(
        ['h2', 'http/1.1', 'http/1.0', 'tunnel'],
        PROTOCOL_NAMES.get(value.toLowerCase()) ?? value,
        term,
        (row) => row.protocol,
      ),
    ),
  },
  ttfb: measured(
    { about: 'Time to the first byte', examples: ['ttfb:>200ms'], known: 'response' },
    'time',
    (row) => row.ttfb,
  ),
  total: measured(
    { about: 'Total time', examples: ['total:>1s', 'total:100ms..1s'], known: 'end' },
    'time',
    (row) => row.total,
  ),
  overhead: measured(
    { about: 'Overhead added by Roundtrip', examples: ['overhead:>1ms'], known: 'end' },
    'time',
    (row) => row.overhead,
  ),
  size: measured(
    { about: 'Response body on the wire', examples: ['size:>10kb'], known: 'end' },
    'bytes',
    (row) => row.responseSize,
  ),
  'request-size': measured(
    { about: 'Request body on the wire', examples: ['request-size:>1mb'], known: 'response' },
    'bytes',
    (row) => row.requestSize,
  ),
  attempts: measured(
    { about: 'Upstream attempts', examples: ['attempts:>1'], known: 'response' },
    'count',
    (row) => row.attempts,
  ),
  connection: {
    about: 'Connection number, on either side',
    examples: ['connection:12'],
    known: 'request',
    compile: anyOf((value, term) => {
      const { fits } = comparison(value, 'count', term);
      return (row) => fits(row.clientConnection) || (row.upstreamConnection > 0 && fits(row.upstreamConnection));
    }),
  },
  id: measured(
    { about: 'Exchange number', examples: ['id:12', 'id:10..20'], known: 'request' },
    'count',
    (row) => row.id,
  ),
  'replay-of': measured(
    { about: 'Number of the resent exchange', examples: ['replay-of:12'], known: 'request' },
    'count',
    (row) => row.replayOf,
  ),
  error: {
    about: 'Failure code, or a part of it',
    examples: ['error:upstream.*', 'error:tls'],
    known: 'end',
    compile: anyOf((value) => {
      const fits = globOrPart(value);
      return (row) => row.failureCode !== null && fits(row.failureCode);
    }),
  },
  is: {
    about: 'Other states of an exchange',
    examples: ['is:failed', 'is:open'],
    known: 'request',
    values: Object.keys(IS_WORDS),
    compile: anyOf((value, term) => isWord(value, term)),
  },
};

const PROTOCOL_NAMES = new Map([
  ['http2', 'h2'],
  ['http/2', 'h2'],
  ['http/2.0', 'h2'],
  ['h1', 'http/1.1'],
  ['http1', 'http/1.1'],
  ['http/1', 'http/1.1'],
]);

function oneOf(all: string[], value: string, term: Term, of: (row: Parameters<Predicate>[0]) => string): Predicate {
  const wanted = value.toLowerCase();
  if (!all.includes(wanted)) {
    const begun = all.some((known) => known.startsWith(wanted));
    throw new QueryError(`${term.field}: takes one of ${all.join(', ')}.`, term, begun ? 'there' : null);
  }
  return (row) => of(row) === wanted;
}

/** A term, compiled. Throws `QueryError` for an unknown field or an invalid value. */
export function compileTerm(term: Term): Query {
  const text = term.field === null ? term.value : `${term.field}:${term.value}`;
  if (term.field === null) return { kind: 'term', text, fits: freeText(term.value), requires: null, figure: null };
  const field = Object.hasOwn(FIELDS, term.field) ? FIELDS[term.field] : undefined;
  if (field === undefined) throw new QueryError(unknownField(term.field), term);
  const example = field.examples[0] ?? '';
  if (term.value === '')
    throw new QueryError(`${term.field}: needs a value right after the colon, as in ${example}.`, term, 'there');
  const requires = requiredByTerm(term.field, term.value, term.quoted);
  const figure = field.figure?.(term.value, term) ?? null;
  return { kind: 'term', text, fits: field.compile(term.value, term), requires, figure };
}

function unknownField(name: string): string {
  const like = Object.keys(FIELDS).find((field) => field.startsWith(name) || name.startsWith(field));
  const fix = like === undefined ? `Valid fields: ${Object.keys(FIELDS).join(', ')}` : `Did you mean ${like}:?`;
  return (
    `There is no field ${name}. ${fix}${like === undefined ? '.' : ''} To search for the text itself, put it in ` +
    'quotes.'
  );
}

/** Free text is searched for in what a row shows: method, address, status, media type and failure. */
function freeText(value: string): Predicate {
  const fits = globOrPart(value, { wholeGlob: false });
  return (row) =>
    fits(`${row.scheme}://${row.authority}${row.path}`) ||
    fits(row.method) ||
    fits(String(row.status)) ||
    fits(row.mediaType) ||
    (row.failureCode !== null && fits(row.failureCode));
}

export interface FieldDescription {
  name: string;
  about: string;
  examples: readonly string[];
  /** The values that may follow the colon; empty if any value may. */
  values: readonly string[];
}

/** Every field, for completion and help. */
export function describeFields(): FieldDescription[] {
  return Object.entries(FIELDS).map(([name, { about, examples, values = [] }]) => ({ name, about, examples, values }));
}

/** The phase of an exchange from which on a term has its value. A term that does not compile counts as known. */
export function phaseOfTerm(term: Term): ExchangePhase {
  // One of several words is enough.
  if (term.field === 'is') return earliestPhase(partsOf(term.value, term).map(phaseOfWord));
  if (term.field === null || !Object.hasOwn(FIELDS, term.field)) return 'request';
  return FIELDS[term.field]?.known ?? 'request';
}
