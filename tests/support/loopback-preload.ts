import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { hasProgram } from './has-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SOURCES = path.join(import.meta.dirname, 'loopback-preload');

/** Whether programs' loopback connections can be sent through a proxy; tests that need it are skipped otherwise. */
export const CAN_PRELOAD = process.platform === 'linux' && hasProgram('cc');

/**
 * The variables for it, and for Node programs to trust the engine's CA in addition to the one certificate that they
 * trust.
 */
export function loopbackThrough({ port, caPath }: { port: number; caPath: string }): Record<string, string> {
  const library = path.join(temporaryFolder(), 'loopback-proxy.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, path.join(SOURCES, 'connect.c'), '-ldl']);
  return {
    LD_PRELOAD: library,
    LOOPBACK_PROXY_PORT: String(port),
    LOOPBACK_CA: caPath,
    NODE_EXTRA_CA_CERTS: caPath,
    NODE_OPTIONS: `--require ${path.join(SOURCES, 'trust.cjs')}`,
  };
}
