import { counted } from '../../../shared/format/counts.ts';
import { findIn } from '../../../shared/insight/find.ts';
import { costLine } from '../../../shared/insight/finding-costs.ts';
import { trailerClientSentence, trailerClients } from '../../../shared/insight/probes/trailer-clients.ts';
import type { Finding } from '../../../shared/model/insight/finding.ts';
import { Output } from '../output.ts';
import type { FindingsCommand } from './findings-options.ts';
import { factsOfSource } from './source.ts';

/** Ids in a line; the others are counted. */
const NAMED = 8;

/**
 * Prints what is slow or wasteful in a session. Returns exit code 0, regardless of what it finds. Rejects as
 * `openSource` does.
 */
export async function findings({ source, json }: FindingsCommand): Promise<0> {
  const output = new Output(json);
  const { facts, damaged, notes } = await factsOfSource(source, output);
  const found = findIn(facts);
  const trailers = trailerClients(facts);
  output.event({ findings: found, trailers, damaged, notes });
  for (const finding of found) for (const line of findingLines(finding)) output.say(line);
  for (const client of trailers) output.say(`Trailers: ${trailerClientSentence(client)}`);
  output.say(found.length === 0 ? 'No findings.' : `${counted(found.length, 'finding')}.`);
  return 0;
}

/** A finding as text: its title, then its evidence, cost and remedy, indented. */
function findingLines(finding: Finding): string[] {
  const { severity, title, rule, detail, remedy, exchanges } = finding;
  const cost = costLine(finding);
  const more = exchanges.length > NAMED ? ` and ${exchanges.length - NAMED} more` : '';
  return [
    `${severity.padEnd(6)}  ${title} [${rule}]`,
    ...(detail === '' ? [] : [`        ${detail}`]),
    ...(cost === '' ? [] : [`        Cost: ${cost}`]),
    `        Remedy: ${remedy}`,
    `        Exchanges: ${exchanges.slice(0, NAMED).join(', ')}${more}`,
  ];
}
