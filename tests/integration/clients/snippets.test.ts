import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { snippetRequest } from '../../../renderer/features/replay/copy-as/copy-as.ts';
import { fetchCall, nodeProgram } from '../../../renderer/features/replay/copy-as/javascript-snippets.ts';
import { httpieCommand, powershellCommand } from '../../../renderer/features/replay/copy-as/shell-snippets.ts';
import { snippet } from '../../../renderer/features/replay/copy-as/snippet.ts';
import type { SnippetRequest } from '../../../renderer/features/replay/copy-as/snippet-request.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { hasProgram } from '../../support/has-program.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pythonWith } from '../../support/test-python.ts';

const run = promisify(execFile);

/** Marks that end a string or begin a command in one of the languages, and characters outside ASCII. */
const BODY = [
  `{"quotes":"'\\"\`","shell":"$(id) \${x} %PATH% !x",`,
  `"slash":"\\\\n \\u0041","text":"naïve ’ 日本 😀"}\nsecond line\n`,
].join('');
const FIELD = `it's "quoted", \`ticked\`, $HOME, \\n, %s and 100 %`;
/** Header values are Latin-1 at most, and HTTPie reads `:`, `=` and `@` as its own. */
const HEADERS = [
  'Content-Type',
  'application/json',
  'X-Field',
  FIELD,
  'X-Marks',
  'a:b=c@d;e',
  'Authorization',
  'Bearer t',
];

interface Arrived {
  method: string | undefined;
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A server that keeps what arrives. */
async function startOrigin() {
  const arrived: Arrived[] = [];
  const server = http.createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    arrived.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.end('{}');
  });
  const port = await listenInTest(server);
  return { arrived, port };
}

/** Without brackets in the query: requests, and HTTPie with it, encodes them itself. */
function copied(port: number, method: string, body: string | null): SnippetRequest {
  const request = { scheme: 'http' as const, authority: `127.0.0.1:${port}`, host: '127.0.0.1', port, method };
  const of = { ...request, path: "/a%20b/it's?q=1&q=2&e=%27&empty", headers: HEADERS };
  const found = snippetRequest(exampleExchange({ request: of }), body);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const python = pythonWith('requests');
/** `HTTPIE`: where it is, if not on the path. */
const httpie = [process.env.HTTPIE ?? '', 'http'].find((program) => program !== '' && hasProgram(program, '--version'));

interface Form {
  name: string;
  canRun: boolean;
  run: (request: SnippetRequest) => Promise<unknown>;
}

const FORMS: Form[] = [
  { name: 'fetch', canRun: true, run: (request) => run(process.execPath, ['-e', fetchCall(request)]) },
  { name: 'Node', canRun: true, run: (request) => run(process.execPath, ['-e', nodeProgram(request)]) },
  { name: 'Python', canRun: python !== null, run: (request) => run(python ?? '', ['-c', snippet(request, 'python')]) },
  {
    name: 'Go',
    canRun: hasProgram('go', 'version'),
    run: (request) => {
      const file = path.join(temporaryFolder(), 'main.go');
      fs.writeFileSync(file, snippet(request, 'go'));
      return run('go', ['run', file]);
    },
  },
  {
    name: 'HTTPie',
    canRun: httpie !== undefined,
    run: (request) => run('sh', ['-c', `http() { command ${httpie} "$@"; }; ${httpieCommand(request)}`]),
  },
  {
    name: 'PowerShell',
    canRun: hasProgram('pwsh', '-Version'),
    run: (request) => run('pwsh', ['-NoProfile', '-Command', powershellCommand(request)]),
  },
];

describe.each(FORMS)('a request copied as $name', ({ canRun, run: send }) => {
  it.skipIf(!canRun)('arrives with its method, URL, fields and body', async () => {
    const { arrived, port } = await startOrigin();
    const request = copied(port, 'PUT', BODY);
    await send(request);
    expect(arrived).toMatchObject([
      {
        ...{ method: 'PUT', url: '/a%20b/it%27s?q=1&q=2&e=%27&empty', body: BODY },
        headers: {
          'content-type': 'application/json',
          'x-field': FIELD,
          'x-marks': 'a:b=c@d;e',
          authorization: 'Bearer t',
        },
      },
    ]);
  });

  it.skipIf(!canRun)('arrives without a body if it had none', async () => {
    const { arrived, port } = await startOrigin();
    await send(copied(port, 'DELETE', null));
    expect(arrived).toMatchObject([{ method: 'DELETE', body: '' }]);
  });
});
