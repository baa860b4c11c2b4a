import { createHash, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Command, type Environment, type RunCommand, runCommand } from '../run-command.ts';
import { CACERTS_PASSWORD, findJava, type Java } from '../trust/java.ts';
import { withTrusted } from '../trust/jks.ts';

function keystoreName(caPath: string, java: Java): string {
  const { mtimeMs, size } = fs.statSync(java.cacerts);
  const made = `${fs.readFileSync(caPath, 'latin1')} ${java.cacerts} ${mtimeMs} ${size}`;
  return `java-${createHash('sha256').update(made).digest('hex').slice(0, 16)}.keystore`;
}

const ALIAS = 'roundtrip';

/** Adds our CA to a copy of Java's roots. `run` returns the status of a command. False: keytool could not. */
async function addWithKeytool(
  copy: string,
  caPath: string,
  java: Java,
  run: (command: Command) => Promise<number | null>,
) {
  fs.copyFileSync(java.cacerts, copy);
  fs.chmodSync(copy, 0o644);
  const place = ['-keystore', copy, '-storepass', CACERTS_PASSWORD];
  const task = ['-importcert', '-noprompt', '-trustcacerts', '-alias', ALIAS, '-file', caPath, ...place];
  return (await run([java.keytool, ...task])) === 0;
}

/**
 * A copy of Java's roots with our CA added, which is made once; null if that fails. keytool takes about a second, for
 * which the program that is launched waits; older Javas and Debian's have a format that we can write.
 */
async function keystore(caPath: string, dataFolder: string, env: Environment, run: RunCommand): Promise<string | null> {
  const java = findJava(env);
  if (java === null) return null;
  try {
    const file = path.join(dataFolder, keystoreName(caPath, java));
    if (fs.existsSync(file)) return file;
    const temporary = `${file}.${process.pid}`;
    const { raw } = new X509Certificate(fs.readFileSync(caPath));
    const added = withTrusted(fs.readFileSync(java.cacerts), ALIAS, raw, CACERTS_PASSWORD);
    if (added !== null) fs.writeFileSync(temporary, added, { mode: 0o644 });
    const isMade =
      added !== null ||
      (await addWithKeytool(temporary, caPath, java, async (command) => (await run(command, env)).status));
    if (isMade) fs.renameSync(temporary, file);
    fs.rmSync(temporary, { force: true });
    return isMade ? file : null;
  } catch {
    return null;
  }
}

/** HotSpot splits the variable at white space outside quotes. */
function quoted(option: string): string {
  return /\s/.test(option) ? `"${option}"` : option;
}

/**
 * Variables for the JVM of a launched program, which reads neither proxy variables nor PEM files. Empty if this machine
 * has no Java with a keytool. Keeps an existing JAVA_TOOL_OPTIONS.
 */
export async function javaEnvironment(
  { proxyUrl, caPath, dataFolder }: { proxyUrl: string; caPath: string; dataFolder: string },
  env: Environment,
  run: RunCommand = runCommand,
): Promise<Record<string, string>> {
  const store = await keystore(caPath, dataFolder, env, run);
  if (store === null) return {};
  const { hostname, port } = new URL(proxyUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = [
    ...['http', 'https'].flatMap((scheme) => [
      `-D${scheme}.proxyHost=${host}`,
      `-D${scheme}.proxyPort=${port || '80'}`,
    ]),
    // Empty, because by default Java bypasses the proxy for loopback names.
    '-Dhttp.nonProxyHosts=',
    `-Djavax.net.ssl.trustStore=${store}`,
    `-Djavax.net.ssl.trustStorePassword=${CACERTS_PASSWORD}`,
  ];
  const before = env.JAVA_TOOL_OPTIONS ? [env.JAVA_TOOL_OPTIONS] : [];
  return { JAVA_TOOL_OPTIONS: [...before, ...options.map(quoted)].join(' ') };
}
