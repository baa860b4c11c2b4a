import { spawn } from 'node:child_process';
import readline from 'node:readline';

export interface XDisplay {
  /** For the environment's DISPLAY: `:7`. */
  name: string;
  close(): void;
}

/** An invisible screen, on a free number that Xvfb chooses. */
export async function xDisplay(size = '1280x800'): Promise<XDisplay> {
  const args = ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [, , , numbers] = server.stdio;
  if (!numbers || !('readable' in numbers)) throw new Error('Xvfb has no pipe to tell its number by');
  const number = await new Promise<string>((resolve, reject) => {
    readline.createInterface({ input: numbers }).once('line', resolve);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  return { name: `:${number.trim()}`, close: () => void server.kill() };
}
