import fs from 'node:fs';
import { certificatesIn } from '../../engine/ca/system-roots.ts';
import { findProgram } from '../run-command.ts';
import { type Finding, findingOf, identityOf, type TrustContext, type TrustStore } from './trust-store.ts';

/** Programs that take their roots from a variable; the first one that is set counts. */
const PROGRAMS = [
  { name: 'node', label: 'Node.js', commands: ['node'], variables: ['NODE_EXTRA_CA_CERTS'] },
  {
    name: 'python',
    label: 'Python',
    commands: ['python3', 'python'],
    variables: ['REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE'],
  },
  { name: 'git', label: 'Git', commands: ['git'], variables: ['GIT_SSL_CAINFO', 'SSL_CERT_FILE'] },
] as const;

const BY_LAUNCH = 'set in each terminal and command that Roundtrip starts';

function probe(context: TrustContext, variables: readonly string[]): Finding {
  const variable = variables.find((name) => context.env[name]);
  if (variable === undefined) return { state: 'not-trusted', detail: `${variables[0]} is ${BY_LAUNCH}` };
  const file = context.env[variable] ?? '';
  try {
    const stored = certificatesIn(fs.readFileSync(file, 'latin1')).map(identityOf);
    return findingOf(
      context,
      stored.filter((one) => one !== null),
      `${variable}=${file}`,
    );
  } catch {
    return { state: 'not-trusted', detail: `${variable} names ${file}, which can't be read` };
  }
}

/** What this environment's own Node, Python and Git trust. Read only: a terminal that we start has the variables. */
export function environmentStores(context: TrustContext): TrustStore[] {
  const refuse = (): Promise<string> => Promise.reject(new Error(`Its variables are ${BY_LAUNCH}.`));
  return PROGRAMS.filter(({ commands }) => commands.some((name) => findProgram(name, context.env))).map(
    ({ name, label, variables }) => ({
      id: `environment:${name}`,
      store: 'environment',
      label: `${label} (${variables[0]})`,
      needs: 'none',
      probe: () => Promise.resolve(probe(context, variables)),
      install: refuse,
      uninstall: refuse,
    }),
  );
}
