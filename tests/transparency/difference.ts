import type { Run } from './wire/run.ts';
import type { Got } from './wire/script.ts';

const SHOWN = 120;

function shown(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(at - 20, 0), at + SHOWN));
}

function textDifference(side: string, direct: string, through: string): string[] {
  let at = 0;
  while (at < direct.length && direct[at] === through[at]) at += 1;
  return [`${side} differs at byte ${at}:`, `  direct:  ${shown(direct, at)}`, `  through: ${shown(through, at)}`];
}

function gotDifference(side: string, direct: Got, through: Got): string[] {
  const lines: string[] = [];
  if (direct.sha256 !== through.sha256) {
    lines.push(`${side} got ${direct.length} bytes direct, ${through.length} through`);
    if (direct.text !== through.text) lines.push(...textDifference(side, direct.text, through.text));
  }
  if (!direct.endedItself && direct.end !== through.end)
    lines.push(`${side}'s connection: ${direct.end} direct, ${through.end} through`);
  if (direct.stuck !== through.stuck) lines.push(`${side} stuck: ${direct.stuck} direct, ${through.stuck} through`);
  return lines;
}

/** What differs between a direct run and one through Roundtrip, a line each for a person; empty: nothing. */
export function difference(direct: Run, through: Run): string[] {
  const lines = gotDifference('the client', direct.client, through.client);
  if (direct.origin.length !== through.origin.length) {
    lines.push(`the origin had ${direct.origin.length} connections direct, ${through.origin.length} through`);
  }
  for (const [index, got] of direct.origin.entries()) {
    const other = through.origin[index];
    if (other) lines.push(...gotDifference('the origin', got, other));
  }
  return lines;
}

/** The same for what real clients and origins report: any values that JSON can write. */
export function valueDifference(direct: unknown, through: unknown, at = ''): string[] {
  if (Object.is(direct, through)) return [];
  const both = typeof direct === 'object' && typeof through === 'object' && direct !== null && through !== null;
  if (!both) return [`${at || 'value'}: ${JSON.stringify(direct)} direct, ${JSON.stringify(through)} through`];
  const names = new Set([...Object.keys(direct), ...Object.keys(through)]);
  return [...names].flatMap((name) =>
    valueDifference(
      (direct as Record<string, unknown>)[name],
      (through as Record<string, unknown>)[name],
      `${at}/${name}`,
    ),
  );
}
