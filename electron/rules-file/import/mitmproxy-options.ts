import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { type ImportedRules, NoEquivalent, RuleCollector } from './imported.ts';
import { type MitmproxyFilter, mitmproxyFilter } from './mitmproxy-filter.ts';
import { globOfRegex, term } from './query-words.ts';

/** An option's text in its three parts: `[/filter]/subject/replacement`; its first character separates them. */
interface Spec {
  filter: MitmproxyFilter;
  subject: string;
  replacement: string;
}

function specOf(text: string): Spec {
  const separator = text[0] ?? '';
  const rest = text.slice(1);
  const first = rest.indexOf(separator);
  const second = first < 0 ? -1 : rest.indexOf(separator, first + 1);
  if (first < 0) throw new NoEquivalent('it is not of the form /filter/subject/replacement');
  if (second < 0)
    return { filter: mitmproxyFilter(''), subject: rest.slice(0, first), replacement: rest.slice(first + 1) };
  const filter = mitmproxyFilter(rest.slice(0, first));
  return { filter, subject: rest.slice(first + 1, second), replacement: rest.slice(second + 1) };
}

function both(...terms: string[]): string {
  return terms.filter((each) => each !== '').join(' ');
}

/** The change for the messages that the filter names. */
function changes({ side }: MitmproxyFilter, change: object): object[] {
  return [
    ...(side === 'response' ? [] : [{ changeRequest: change }]),
    ...(side === 'request' ? [] : [{ changeResponse: change }]),
  ];
}

function notFromFile(replacement: string): void {
  if (replacement.startsWith('@')) throw new NoEquivalent('a replacement from a file has no equivalent');
}

/** Python's `\1` and `\g<1>` as JavaScript's `$1`. */
function groups(replacement: string): string {
  return replacement
    .replaceAll('$', '$$$$')
    .replace(/\\(?:g<(\d+)>|(\d))/g, (_all, long, short) => `$${long ?? short}`);
}

/** The literal parts of a URL's pattern: `//example.com/static/`, with or without a scheme. */
function literalUrl(pattern: string): { scheme: string | undefined; host: string; path: string } | null {
  const plain = pattern.replace(/^\^/, '').replace(/\\([./:?-])/g, '$1');
  const [, scheme, host, place = ''] =
    /^(?:(https?)\??:)?(?:\/\/)?([a-z0-9.-]+(?::\d+)?)(\/[^*+?()[\]{}|^$\\]*)?$/i.exec(plain) ?? [];
  return host === undefined ? null : { scheme: /^\^?https\?/.test(pattern) ? undefined : scheme, host, path: place };
}

/** Whether the path is a folder. Without a look at it, a name without an extension is one. */
function isFolder(file: string, mayLook: boolean): boolean {
  if (!mayLook) return path.extname(file) === '';
  if (!fs.existsSync(file)) throw new NoEquivalent(`${file} does not exist`);
  return fs.statSync(file).isDirectory();
}

function mapLocal({ filter, subject, replacement }: Spec, folder: string | null): { when: string; do: object[] } {
  const home = replacement.replace(/^~(?=\/|$)/, os.homedir());
  const file = path.resolve(folder ?? os.homedir(), home);
  const when = both(filter.when, term('url', globOfRegex(subject)));
  if (!isFolder(file, folder !== null)) return { when, do: [{ answer: { file } }] };
  const url = literalUrl(subject);
  if (url === null) throw new NoEquivalent('a folder for a URL with a pattern has no equivalent');
  return {
    when,
    do: [{ answer: { folder: file, ...(url.path !== '' && { stripPrefix: url.path.replace(/\/$/, '') }) } }],
  };
}

function mapRemote({ filter, subject, replacement }: Spec): { when: string; do: object[] } {
  const from = literalUrl(subject);
  const to = literalUrl(replacement);
  if (from === null || to === null) throw new NoEquivalent('a URL with a pattern has no equivalent');
  const [host, port] = to.host.split(':');
  const place = from.path === to.path ? {} : { replacePath: [{ find: from.path || '/', with: to.path || '/' }] };
  const target = { ...(to.scheme && { scheme: to.scheme }), host, ...(port && { port: Number(port) }), ...place };
  return { when: both(filter.when, term('url', globOfRegex(subject))), do: [{ mapTo: target }] };
}

function modifyHeaders({ filter, subject, replacement }: Spec): { when: string; do: object[] } {
  notFromFile(replacement);
  const change = replacement === '' ? { removeHeaders: [subject] } : { setHeaders: [[subject, replacement]] };
  return { when: filter.when, do: changes(filter, change) };
}

function modifyBody({ filter, subject, replacement }: Spec): { when: string; do: object[] } {
  notFromFile(replacement);
  try {
    new RegExp(subject, 'u');
  } catch {
    throw new NoEquivalent(`the regular expression ${JSON.stringify(subject)} is not one of JavaScript`);
  }
  return {
    when: filter.when,
    do: changes(filter, { replaceBody: [{ find: subject, with: groups(replacement), regex: true }] }),
  };
}

const OPTIONS = { map_local: mapLocal, map_remote: mapRemote, modify_headers: modifyHeaders, modify_body: modifyBody };
const Config = v.looseObject({});
const Specs = v.array(v.string());

/** The four options of a `config.yaml` of mitmproxy. `folder`: as for `importRules`. Null: it has none of them. */
export function mitmproxyRules(config: unknown, folder: string | null): ImportedRules | null {
  const parsed = v.safeParse(Config, config);
  if (!parsed.success || Array.isArray(config) || !Object.keys(OPTIONS).some((name) => name in parsed.output))
    return null;
  const collector = new RuleCollector();
  for (const [name, make] of Object.entries(OPTIONS)) {
    const specs = v.safeParse(Specs, parsed.output[name] ?? []);
    if (!specs.success) collector.skipped.push(`${name}: it is not a list of texts`);
    else for (const spec of specs.output) collector.add(`${name} ${spec}`, () => make(specOf(spec), folder));
  }
  return collector;
}
