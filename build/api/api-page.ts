import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { API_VERSION } from '../../shared/contract/api-version.ts';
import { EVENTS } from '../../shared/contract/events.ts';
import { REQUESTS } from '../../shared/contract/requests.ts';
import { wrapped } from '../docs/wrapped.ts';
import { docComments } from './doc-comments.ts';
import { type AnySchema, isSchema, schemasWithin, schemaText } from './schema-text.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CONTRACT = path.join(ROOT, 'shared/contract');

/** Where it is published. */
export const API_PAGE = path.join(ROOT, 'docs/api.md');

const HEAD = `# API

<!-- Written by build/api/api-page.ts from shared/contract. Do not edit; run \`node build/api/api-page.ts\`. -->

Version ${API_VERSION}. A program can do everything that the window does: over a WebSocket, with the messages on this
page. The version rises when something is removed or changes its meaning. Programs ignore fields that they do not know.

**Find it.** A running Roundtrip writes \`running/PID.json\` in its data folder, readable by its user only, and removes
it when it ends: \`{ "version", "pid", "url", "token", "startedAt" }\`. A file whose process no longer exists, or whose
address refuses the token, is stale. \`roundtrip serve --json\` prints the same address and token as \`ui\`.

**Connect** to \`ws://127.0.0.1:PORT/inspector?token=TOKEN\`. Without the token, or with another site's \`Origin\` or
another \`Host\`, the response is 403. \`&first=\` with the JSON of at most 16 calls spares
their round trip.

**Call**: send \`{ "call": 1, "name": "app.info", "input": {} }\`. The reply has the same number:
\`{ "call": 1, "ok": true, "value": ... }\`, or
\`{ "call": 1, "ok": false, "problem": { "code", "message" } }\`. Codes are those of [failures.md](failures.md), or
begin with \`contract.\`: the message itself was refused.

**Listen**: events arrive as \`{ "event": "feed.batch", "payload": ... }\`. Subscribe to the feed first
(\`feed.subscribe\`), then read pages. A row of the feed is complete: one that arrives twice does no harm. A gap in
\`sequence\` means that batches were lost: read the pages again.

Commands that use this API: \`roundtrip tail\`, \`roundtrip status\`, \`roundtrip stop\`.
`;

/** Schema -> name, of everything that shared/model and shared/contract export as \`NameSchema\`. */
async function namedSchemas(): Promise<Map<unknown, string>> {
  const files = [path.join(ROOT, 'shared/model'), CONTRACT].flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );
  const names = new Map<unknown, string>();
  for (const file of files.sort()) {
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
    for (const [name, schema] of Object.entries(exported)) {
      if (isSchema(schema) && schema.type.endsWith('object') && name.endsWith('Schema'))
        names.set(schema, name.replace(/Schema$/, ''));
    }
  }
  return names;
}

function line(name: string, text: string): string {
  return `- ${name}: \`${text}\``;
}

/** The page's text. */
export async function apiPage(): Promise<string> {
  const names = await namedSchemas();
  const comments = docComments(CONTRACT);
  const used = new Set<AnySchema>();
  const text = (schema: unknown): string => {
    const whole = schema as AnySchema;
    for (const inner of schemasWithin(whole)) if (names.has(inner)) used.add(inner);
    return names.get(whole) ?? schemaText(whole, names);
  };
  const about = (name: string): string[] => [
    `### \`${name}\``,
    ...(comments.get(name) ?? '').split('\n\n').filter(Boolean).map(wrapped),
  ];
  const requests = Object.entries(REQUESTS).map(([name, { input, output }]) =>
    [...about(name), [line('input', text(input)), line('output', text(output))].join('\n')].join('\n\n'),
  );
  const events = Object.entries(EVENTS).map(([name, schema]) =>
    [...about(name), line('payload', text(schema))].join('\n\n'),
  );
  const types = [...used]
    .map((schema) => ({ name: names.get(schema) ?? '', text: schemaText(schema, names) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((type) => `### ${type.name}\n\n\`${type.text}\``);
  const sections = [HEAD.trimEnd(), '## Requests', ...requests, '## Events', ...events, '## Types', ...types];
  return `${sections.join('\n\n')}\n`;
}

if (import.meta.main) fs.writeFileSync(API_PAGE, await apiPage());
