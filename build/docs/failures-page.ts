import fs from 'node:fs';
import path from 'node:path';
import { FAILURE_CODES, type FailureCode, failure } from '../../electron/failures/errors.ts';
import type { Failure } from '../../shared/model/failure.ts';

const failureWith = failure as (code: FailureCode, about: object) => Failure;

/** Placeholders for a failure's values: `{host}` for the host, and 0 for the one that `absent` names. */
function placeholders(asked: Set<string>, absent: string | null = null): object {
  const get = (_about: object, name: string | symbol) => {
    asked.add(String(name));
    return name === absent ? 0 : `{${String(name)}}`;
  };
  return new Proxy({}, { get });
}

/** `It stopped. (or: It goes on.)`: in brackets, the sentences that only the other message has. */
function merged(message: string, other: string): string {
  const sentences = message.split(/(?<=\.) /);
  const different = other.split(/(?<=\.) /).filter((sentence) => !sentences.includes(sentence));
  return `${message} (or: ${different.join(' ')})`;
}

/** A failure's message. Some differ if a number is 0 or a value is unknown: then both. */
function messageOf(code: FailureCode): string {
  const asked = new Set<string>();
  const message = failureWith(code, placeholders(asked)).message;
  for (const name of asked) {
    const other = failureWith(code, placeholders(new Set(), name)).message;
    // Some are quoted as JSON, which 0 is without quotes.
    const same = message.replaceAll(`"{${name}}"`, '0').replaceAll(`{${name}}`, '0');
    if (other.replaceAll('"0"', '0') !== same) return merged(message, other);
  }
  return message;
}

/** docs/failures.md, from the catalogue. */
export function failuresPage(): string {
  const rows = FAILURE_CODES.map((code) => {
    const { side } = failureWith(code, placeholders(new Set()));
    return `| \`${code}\` | ${side} | ${messageOf(code).replaceAll('|', '\\|')} |\n`;
  });
  return `# Failures

<!-- Written by build/docs/failures-page.ts from electron/failures. Do not edit it. -->

Each failure has a stable code: rows, the HAR's \`_error\` and \`--json\` carry it, and scripts may depend on it. Names
in braces stand for values.

![A failed exchange: its code and its sentence, and what to check](screenshots/failure.png)

| code | side | sentence |
| --- | --- | --- |
${rows.join('')}`;
}

/** Where it is published. */
export const FAILURES_PAGE = path.resolve(import.meta.dirname, '../../docs/failures.md');

if (import.meta.main) fs.writeFileSync(FAILURES_PAGE, failuresPage());
