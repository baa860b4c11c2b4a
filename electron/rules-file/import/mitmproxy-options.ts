import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { both, type Condition } from './conditions.ts';
import { type Draft, type ImportedRules, NoEquivalent, type Note, RuleCollector } from './imported.ts';
import { bodyPattern, bodyReplacement } from './mitmproxy-body.ts';
import { mitmproxyFilter, type Side } from './mitmproxy-filter.ts';
import { type PatternUrl, patternUrl, replacementUrl } from './mitmproxy-urls.ts';
import { address, anyOfRegex } from './query-words.ts';

/** An option's text in its three parts: `[/filter]/subject/replacement`; its first character separates them. */
interface Spec {
  /** Null: there is none. */
  filter: string | null;
  subject: string;
  replacement: string;
}

function specOf(text: string): Spec {
  const [first = '', second, ...rest] = text === '' ? [] : text.slice(1).split(text[0] ?? '');
  if (second === undefined) throw new NoEquivalent('it is not of the form /filter/subject/replacement');
  if (rest.length === 0) return { filter: null, subject: first, replacement: second };
  // What follows the third separator belongs to the replacement.
  return { filter: first, subject: second, replacement: rest.join(text[0]) };
}

function conditionOf({ filter }: Spec, side: Side): Condition {
  return filter === null || mitmproxyFilter(filter, side);
}

/** The query of a rule that acts on requests, which must match along with `others`. */
function whenRequested(spec: Spec, ...others: Condition[]): string {
  const when = both(conditionOf(spec, 'request'), ...others);
  if (when === false) throw new NoEquivalent('its filter asks for a response, and matches no request');
  return when === true ? '' : when;
}

/** The change for the messages that the filter matches: one rule, or one for each side if their queries differ. */
function changes(spec: Spec, change: object): Draft[] {
  const request = conditionOf(spec, 'request');
  const response = conditionOf(spec, 'response');
  const text = (when: Condition): string => (typeof when === 'string' ? when : '');
  // A query about fields concerns other fields when it acts on the response.
  if (request !== false && request === response && !text(request).includes('header:'))
    return [{ when: text(request), do: [{ changeRequest: change }, { changeResponse: change }] }];
  const made = [
    ...(request === false ? [] : [{ when: text(request), do: [{ changeRequest: change }] }]),
    ...(response === false ? [] : [{ when: text(response), do: [{ changeResponse: change }] }]),
  ];
  if (made.length === 0) throw new NoEquivalent('its filter matches nothing');
  return made;
}

function notFromFile(replacement: string): void {
  if (replacement.startsWith('@')) throw new NoEquivalent('a replacement from a file has no equivalent');
}

/** Whether the path is a folder. If it can't be checked, a name without an extension is one. */
function isFolder(file: string, mayLook: boolean): boolean {
  if (!mayLook) return path.extname(file) === '';
  if (!fs.existsSync(file)) throw new NoEquivalent(`${file} does not exist`);
  return fs.statSync(file).isDirectory();
}

/** A URL that must be literal, as a query for everything that begins with it. */
function beginningWith(url: PatternUrl, note: Note): Condition {
  if (url.prefix === '') note(`it applies to the host ${url.host} only, not to other URLs that contain its text`);
  const isScheme = url.prefix === 'http' || url.prefix === 'https';
  return address(`${url.host}${url.path || '/'}*`, isScheme ? url.prefix : undefined);
}

function mapLocal(spec: Spec, folder: string | null, note: Note): Draft[] {
  const home = spec.replacement.replace(/^~(?=\/|$)/, os.homedir());
  const file = path.resolve(folder ?? os.homedir(), home);
  if (!isFolder(file, folder !== null))
    return [{ when: whenRequested(spec, anyOfRegex('url', spec.subject)), do: [{ answer: { file } }] }];
  const url = patternUrl(spec.subject);
  if (url === null) throw new NoEquivalent('a folder for a URL with a pattern has no equivalent');
  const stripPrefix = url.path.replace(/\/$/, '');
  return [
    {
      when: whenRequested(spec, beginningWith(url, note)),
      do: [{ answer: { folder: file, ...(stripPrefix !== '' && { stripPrefix }) } }],
    },
  ];
}

function mapRemote(spec: Spec, _folder: string | null, note: Note): Draft[] {
  const from = patternUrl(spec.subject);
  if (from === null) throw new NoEquivalent('a URL with a pattern has no equivalent');
  const mapTo = replacementUrl(from, spec.replacement);
  return [{ when: whenRequested(spec, beginningWith(from, note)), do: [{ mapTo }] }];
}

function modifyHeaders(spec: Spec): Draft[] {
  const { subject, replacement } = spec;
  notFromFile(replacement);
  return changes(spec, replacement === '' ? { removeHeaders: [subject] } : { setHeaders: [[subject, replacement]] });
}

function modifyBody(spec: Spec): Draft[] {
  notFromFile(spec.replacement);
  const replacement = { find: bodyPattern(spec.subject), with: bodyReplacement(spec.replacement), regex: true };
  return changes(spec, { replaceBody: [replacement] });
}

/** In the order of the rules: an answer and a mapping end the list, and mitmproxy changes mapped messages too. */
const OPTIONS = { modify_headers: modifyHeaders, modify_body: modifyBody, map_local: mapLocal, map_remote: mapRemote };
const Config = v.looseObject({});
const Specs = v.array(v.string());

function collect(collector: RuleCollector, label: string, make: (note: Note) => Draft[]): void {
  let drafts: Draft[] = [];
  collector.add(label, (note) => {
    drafts = make(note);
    return drafts[0] as Draft;
  });
  for (const draft of drafts.slice(1)) collector.add(`${label} (response)`, () => draft);
}

/** The four options of a `config.yaml` of mitmproxy. `folder`: as for `importRules`. Null: it has none of them. */
export function mitmproxyRules(config: unknown, folder: string | null): ImportedRules | null {
  const parsed = v.safeParse(Config, config);
  if (!parsed.success || Array.isArray(config) || !Object.keys(OPTIONS).some((name) => name in parsed.output))
    return null;
  const collector = new RuleCollector();
  for (const [name, make] of Object.entries(OPTIONS)) {
    const specs = v.safeParse(Specs, parsed.output[name] ?? []);
    if (!specs.success) collector.skipped.push(`${name}: it is not a list of texts`);
    else
      for (const spec of specs.output)
        collect(collector, `${name} ${spec}`, (note) => make(specOf(spec), folder, note));
  }
  return collector;
}
