import { requestCookies, responseCookies } from '../format/cookies.ts';
import { headerPairs } from '../model/headers.ts';
import type { KnownFields } from '../model/rule/known-fields.ts';
import { globOrPartOfLower } from './text-match.ts';

function headerLines(fields: KnownFields): string[] {
  return fields.flatMap(headerPairs).map(([name, value]) => `${name}: ${value}`.toLowerCase());
}

function cookieLines(fields: KnownFields): string[] {
  const cookies = fields.flatMap((list) => [...requestCookies(list), ...responseCookies(list)]);
  return cookies.map(({ name, value }) => `${name}=${value}`.toLowerCase());
}

/** Hundreds of rules may test the same fields: the first of them creates the lines. */
function oncePerMessage(linesOf: (fields: KnownFields) => string[]): (fields: KnownFields) => string[] {
  let last: KnownFields | null = null;
  let lines: string[] = [];
  return (fields) => {
    if (fields !== last) lines = linesOf(fields);
    last = fields;
    return lines;
  };
}

const LINES = { header: oncePerMessage(headerLines), cookie: oncePerMessage(cookieLines) };

/** Whether a line of these fields, `name: value`, or a cookie in them, `name=value`, has a text; `*` is anything. */
export function fieldsPredicate(field: 'header' | 'cookie', value: string): (fields: KnownFields) => boolean {
  const fits = globOrPartOfLower(value, { wholeGlob: false });
  const linesOf = LINES[field];
  return (fields) => linesOf(fields).some(fits);
}
