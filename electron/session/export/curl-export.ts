import { isUtf8 } from 'node:buffer';
import { CURL_BODY_LIMIT, type CurlBody, curlCommand, curlProblem } from '../../../shared/format/commands/curl.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import { urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { headerPairs } from '../../../shared/model/headers.ts';
import { bodyCodings } from '../format/content-codings.ts';
import { type Decoded, decodeBody } from '../read/decode-body.ts';
import { cleaned, mediaTypeOfBody, searchable } from '../read/searched-body.ts';
import type { WriteExport } from './export-job.ts';
import { exportText } from './export-text.ts';
import { type ExportedExchange, exportedExchanges } from './exported-exchanges.ts';

/**
 * A shell script with a command for each request. A request that no command can repeat is a comment with the reason.
 */
export const exportCurl: WriteExport = (reader, job, onProgress, signal) => {
  const parts = {
    head: `#!/usr/bin/env bash\n# ${job.creator.name} ${job.creator.version}\n`,
    textOf: (exported: ExportedExchange) => curlPart(exported, job.redactor),
  };
  return exportText(job.path, parts, exportedExchanges(reader, job, onProgress, signal), signal);
};

/** The lines of one exchange. Writes only its request. */
export async function curlPart(recorded: ExportedExchange, redactor: Redactor | null): Promise<string> {
  const problem = curlProblem(recorded.exchange);
  const clean = problem === null ? redactor?.request(recorded.exchange) : redactor?.address(recorded.exchange);
  const exported = { ...recorded, exchange: clean ?? recorded.exchange };
  const { exchange } = exported;
  const title = `\n# ${exchange.id}: ${oneLine(`${exchange.request.method} ${urlOf(exchange.request)}`)}\n`;
  if (problem !== null) return `${title}# ${oneLine(problem)}\n`;
  if (exchange.kind === 'upgrade' || exchange.request.body.stored === 0)
    return `${title}${curlCommand(exchange, null)}\n`;
  if (redactor === null) return `${title}${curlCommand(exchange, bodyOf(await stored(exported, [])))}\n`;
  return title + (await redactedCommand(exported, redactor));
}

/** Secrets in a compressed body are visible only after decoding: the command then sends it without its codings. */
async function redactedCommand(exported: ExportedExchange, redactor: Redactor): Promise<string> {
  const { exchange } = exported;
  const codings = bodyCodings(exchange.request);
  const decoded = await stored(exported, codings);
  if (!decoded.complete) {
    const why = decoded.problem ?? 'Decoded, it is too long for a command.';
    return `# The request body is left out: it can't be searched for secrets. ${oneLine(why)}\n`;
  }
  const bytes = Buffer.concat(decoded.pieces);
  const searched = searchable(bytes, mediaTypeOfBody(exchange, 'request'));
  if (searched === null && redactor.knows(bytes.toString('latin1')))
    return '# The request body is left out: it is not text, and contains a secret.\n';
  const clean = searched === null ? bytes : cleaned(searched, redactor, 'request');
  const sent = codings.length === 0 ? exchange : withoutCodings(exchange);
  return `${curlCommand(sent, bodyOf({ pieces: [clean] }))}\n`;
}

function stored({ exchange, bodies }: ExportedExchange, codings: string[]): Promise<Decoded> {
  return decodeBody(bodies.bodyPieces(exchange.id, 'request'), codings, CURL_BODY_LIMIT);
}

function withoutCodings(exchange: Exchange): Exchange {
  const headers = headerPairs(exchange.request.headers).filter(([name]) => name.toLowerCase() !== 'content-encoding');
  return { ...exchange, request: { ...exchange.request, headers: headers.flat() } };
}

function bodyOf({ pieces }: Pick<Decoded, 'pieces'>): CurlBody {
  const bytes = Buffer.concat(pieces);
  if (!isUtf8(bytes)) return { form: 'base64', data: bytes.toString('base64') };
  return { form: 'text', data: bytes.toString('utf8') };
}

/** A line break in a URL would end the comment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
