import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);
let made = 0;

function ip(line: string): boolean {
  return spawnSync('ip', line.split(' '), { stdio: 'ignore' }).status === 0;
}

/** Whether a network namespace can be made here: Linux, iproute2, and the rights for it. */
export const HAS_NAMESPACES = (() => {
  const name = `rt-probe-${process.pid}`;
  return ip(`netns add ${name}`) && ip(`netns del ${name}`);
})();

export interface OtherMachine {
  /** This machine's address in the network that the two share, and the other's. */
  here: string;
  there: string;
  /** What `program` prints there. Rejects if it fails. */
  run(program: string, ...parameters: string[]): Promise<string>;
}

/**
 * Another machine, as far as the network goes: a namespace at the other end of a cable (veth). Removed with the test.
 */
export async function otherMachine(): Promise<OtherMachine> {
  made += 1;
  const id = `${process.pid % 100_000}${made}`;
  const [space, near, far] = [`rt-${id}`, `rta${id}`, `rtb${id}`];
  const subnet = `10.${200 + (made % 50)}.${process.pid % 250}`;
  onTestFinished(() => {
    ip(`link del ${near}`);
    ip(`netns del ${space}`);
  });
  for (const line of [
    `netns add ${space}`,
    `link add ${near} type veth peer name ${far} netns ${space}`,
    `addr add ${subnet}.1/24 dev ${near}`,
    `link set ${near} up`,
    `-n ${space} addr add ${subnet}.2/24 dev ${far}`,
    `-n ${space} link set lo up`,
    `-n ${space} link set ${far} up`,
  ]) {
    if (!ip(line)) throw new Error(`ip ${line} failed`);
  }
  return {
    here: `${subnet}.1`,
    there: `${subnet}.2`,
    run: async (program, ...parameters) => {
      const { stdout } = await run('ip', ['netns', 'exec', space, program, ...parameters], { timeout: 15_000 });
      return stdout;
    },
  };
}

/** An address of this machine on a cable without a peer, as Docker's bridge is without containers. */
export function addressWithoutCarrier(): string {
  made += 1;
  const [near, far] = [`rtc${process.pid % 100_000}${made}`, `rtd${process.pid % 100_000}${made}`];
  const address = `10.${100 + (made % 50)}.${process.pid % 250}.1`;
  onTestFinished(() => void ip(`link del ${near}`));
  for (const line of [
    `link add ${near} type veth peer name ${far}`,
    `addr add ${address}/24 dev ${near}`,
    `link set ${near} up`,
  ]) {
    if (!ip(line)) throw new Error(`ip ${line} failed`);
  }
  return address;
}
