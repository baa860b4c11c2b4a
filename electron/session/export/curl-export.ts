import { isUtf8 } from 'node:buffer';
import { CURL_BODY_LIMIT, type CurlBody, curlCommand, curlProblem } from '../../../shared/format/commands/curl.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import { urlOf } from '../../../shared/format/url.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { decodeBody } from '../read/decode-body.ts';
import { cleaned, searchable } from '../read/searched-body.ts';
import type { WriteExport } from './export-job.ts';
import { exportText } from './export-text.ts';
import type { ExportedExchange } from './exported-exchanges.ts';

/**
 * A shell script with a command for each request. A request that no command can repeat is a comment with the reason.
 */
export const exportCurl: WriteExport = (reader, job, onProgress, signal) => {
  const head = `#!/usr/bin/env bash\n# ${job.creator.name} ${job.creator.version}\n`;
  return exportText(reader, job, { head, textOf: (exported) => part(exported, job.redactor) }, onProgress, signal);
};

async function part({ exchange, bodies }: ExportedExchange, redactor: Redactor | null): Promise<string> {
  const title = `\n# ${exchange.id}: ${oneLine(`${exchange.request.method} ${urlOf(exchange.request)}`)}\n`;
  const problem = curlProblem(exchange);
  if (problem !== null) return `${title}# ${oneLine(problem)}\n`;
  if (exchange.kind === 'upgrade' || exchange.request.body.stored === 0)
    return `${title}${curlCommand(exchange, null)}\n`;
  const { pieces } = await decodeBody(bodies.bodyPieces(exchange.id, 'request'), [], CURL_BODY_LIMIT);
  const mediaType = mediaTypeOf(firstHeader(exchange.request.headers, 'content-type'));
  return `${title}${curlCommand(exchange, curlBody(Buffer.concat(pieces), mediaType, redactor))}\n`;
}

function curlBody(bytes: Buffer, mediaType: string, redactor: Redactor | null): CurlBody {
  const searched = redactor && searchable(bytes, mediaType);
  const clean = redactor && searched ? cleaned(searched, redactor, 'request') : bytes;
  if (!isUtf8(clean)) return { form: 'base64', data: clean.toString('base64') };
  return { form: 'text', data: clean.toString('utf8') };
}

/** A line break in a URL would end the comment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
