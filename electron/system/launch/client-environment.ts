import type { Environment } from '../run-command.ts';
import { writeCaBundle } from '../trust/ca-bundle.ts';
import { javaEnvironment } from './java-environment.ts';
import { nodeOptions } from './node-options.ts';

export interface ClientEnvironmentOptions {
  /** `http://127.0.0.1:8080`. */
  proxyUrl: string;
  /** Our CA's certificate, a PEM file. */
  caPath: string;
  /** Folder for the files that the variables name. */
  dataFolder: string;
  /** Folder of the bundles, among them `node-clients.cjs`. */
  bundleFolder: string;
  /** The environment that the variables will be added to. */
  env?: Environment;
}

/** Programs differ in case: curl reads only `http_proxy`, others only the upper-case name. */
const PROXY = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/** These replace the program's roots: the file must also contain the machine's. */
const WHOLE_BUNDLE = [
  'SSL_CERT_FILE',
  'NIX_SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PERL_LWP_SSL_CA_FILE',
  'AWS_CA_BUNDLE',
  'PIP_CERT',
  'npm_config_cafile',
  'CARGO_HTTP_CAINFO',
];

const ADDITION = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'];

/**
 * The variables also replace a `NO_PROXY` of the user. It names the proxy alone: axios 0.27, needle and others connect
 * to the proxy themselves, through Node's agent, which would send that connection to the proxy too.
 */
function proxyVariables(proxyUrl: string): Record<string, string> {
  const upper = [...PROXY.map((name) => [name, proxyUrl]), ['NO_PROXY', new URL(proxyUrl).host]];
  const both = upper.flatMap(([name = '', value = '']) => [
    [name, value],
    [name.toLowerCase(), value],
  ]);
  // With it, Node 22.21 and 24.5 read the variables; nodeOptions() covers earlier versions.
  return { ...Object.fromEntries(both), NODE_USE_ENV_PROXY: '1' };
}

function trustVariables(bundle: string, caPath: string, env: Environment): Record<string, string> {
  return {
    ...Object.fromEntries(WHOLE_BUNDLE.map((name) => [name, bundle])),
    // These add to the program's roots: our CA is enough; the user's own addition, if any, is in the bundle.
    ...Object.fromEntries(ADDITION.map((name) => [name, env[name] ? bundle : caPath])),
  };
}

/**
 * Returns the variables, to be added to a program's environment, that make it send its traffic through the proxy,
 * loopback included, and trust our CA. Writes only to the data folder. Rejects if that fails.
 */
export async function clientEnvironment(options: ClientEnvironmentOptions): Promise<Record<string, string>> {
  const { proxyUrl, caPath, dataFolder, bundleFolder, env = process.env } = options;
  const own = [...WHOLE_BUNDLE, ...ADDITION].map((name) => env[name] ?? '').filter(Boolean);
  return {
    ...proxyVariables(proxyUrl),
    ...trustVariables(writeCaBundle(caPath, dataFolder, own), caPath, env),
    NODE_OPTIONS: nodeOptions(env, bundleFolder, dataFolder),
    ...(await javaEnvironment({ proxyUrl, caPath, dataFolder }, env)),
  };
}
