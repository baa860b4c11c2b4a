import fs from 'node:fs';
import path from 'node:path';
import { CACHE, cachedPackage, nodeBinary } from '../cached-packages.ts';
import { hasProgram } from '../has-program.ts';
import { pythonWith } from '../test-python.ts';

export interface ListedClient {
  /** As docs/connect.md names it. */
  name: string;
  /** Fetches an address and prints the response; null if it is not installed. */
  command: ((url: string) => readonly string[]) | null;
}

const SOURCES = import.meta.dirname;
const source = (file: string): string => path.join(SOURCES, file);

/**
 * `cargo build --locked --manifest-path tests/support/clients/rust/Cargo.toml --target-dir FOLDER`, which takes a
 * minute or more.
 */
const RUST = path.join(CACHE, 'rust-client/debug/client');

function client(name: string, has: boolean, ...command: readonly string[]): ListedClient {
  return { name, command: has ? (url) => [...command, url] : null };
}

function python(name: string, module: string, how = module): ListedClient {
  const program = pythonWith(module);
  return client(name, program !== null, program ?? '', source('client.py'), how);
}

function node(name: string, version: string, script: string): ListedClient {
  const program = version === process.versions.node ? process.execPath : nodeBinary(version);
  return client(name, program !== null, program ?? '', '-e', script);
}

const FETCH = 'fetch(process.argv[1]).then((response) => response.text()).then(console.log)';
const GET =
  "const get = (url, options) => require(url.split(':')[0]).get(url, options, (a) => a.pipe(process.stdout));";
const OWN_AGENT = `${GET} const { Agent } = require(process.argv[1].split(':')[0]);
get(process.argv[1], { agent: new Agent() })`;
const UNDICI = `require(${JSON.stringify(cachedPackage('undici@6.22.0') ?? '')}).request(process.argv[1])
  .then(({ body }) => body.text()).then(console.log)`;

const hasJava = hasProgram('keytool', '-help');
const java = ['java', source('Client.java')];

/** Every client of the table in docs/connect.md. */
export function listedClients(): ListedClient[] {
  return [
    client('curl', hasProgram('curl'), 'curl', '-sSf'),
    client('GNU Wget', hasProgram('wget'), 'wget', '-qO-', '-t1'),
    node('Node 18, 20, 22: http, https', '20.20.2', `${GET} get(process.argv[1], {})`),
    node('Node 18, 20, 22: fetch', '18.20.8', FETCH),
    node('Node 18, 20, 22: undici', '20.20.2', UNDICI),
    node('Node 24: http, https', process.versions.node, `${GET} get(process.argv[1], {})`),
    node('Node 24: fetch', process.versions.node, FETCH),
    node('Node: a custom agent', process.versions.node, OWN_AGENT),
    python('Python: urllib', 'urllib.request', 'urllib'),
    python('Python: requests', 'requests'),
    python('Python: httpx', 'httpx'),
    python('Python: aiohttp', 'aiohttp'),
    python('Python: aiohttp, `trust_env=True`', 'aiohttp', 'aiohttp-trust-env'),
    client('Java: HttpURLConnection', hasJava, ...java, 'connection'),
    client('Java: HttpClient', hasJava, ...java, 'client'),
    client('Go: net/http', hasProgram('go', 'version'), 'go', 'run', source('client.go')),
    client('Ruby: Net::HTTP', hasProgram('ruby'), 'ruby', '-rnet/http', '-e', 'print Net::HTTP.get(URI(ARGV[0]))'),
    client('PHP: curl', hasProgram('php', '-r', 'curl_init() ?: exit(1);'), 'php', source('client.php'), 'curl'),
    client('PHP: streams', hasProgram('php'), 'php', source('client.php'), 'streams'),
    client('Rust: reqwest', fs.existsSync(RUST), RUST),
  ];
}
