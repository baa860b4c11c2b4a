import type { CheckResult } from './check-result.ts';
import { casesOf } from './junit.ts';

/** GitHub's workflow commands, one a line: an error for each failed check, a warning for each severe finding. */
export function annotationsOf(result: CheckResult): string[] {
  const errors = casesOf(result)
    .filter(({ ok }) => !ok)
    .map(({ suite, message }) => `::error title=${property(`roundtrip ${suite}`)}::${data(message)}`);
  const findings = result.sources
    .flatMap(({ findings: found }) => found)
    .filter(({ severity }) => severity === 'high')
    .map(
      ({ rule, title, remedy }) => `::warning title=${property(`roundtrip ${rule}`)}::${data(`${title}. ${remedy}`)}`,
    );
  return [...errors, ...findings];
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
