import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import { onTestFinished } from 'vitest';

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A program that serves on `port`, started, awaited, and ended with the test. */
export async function startServer(
  port: number,
  program: string,
  parameters: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2000)));
  onTestFinished(() => void child.kill('SIGKILL'));
  while (child.exitCode === null) {
    if (await opens(port)) return child;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${program} ended with ${child.exitCode}: ${said}`);
}
