import os from 'node:os';
import path from 'node:path';
import { freePort, startServer } from './free-port.ts';
import { hasProgram } from './has-program.ts';

const PROGRAM = path.join(process.env.GOPATH ?? path.join(os.homedir(), 'go'), 'bin', 'toxiproxy-server');

export const HAS_TOXIPROXY = hasProgram(PROGRAM, '-version');

export interface Toxic {
  type: 'latency' | 'bandwidth' | 'slow_close' | 'timeout' | 'reset_peer' | 'slicer' | 'limit_data';
  attributes: Record<string, number>;
}

/** A line to `target` of loopback that is as bad as the toxic makes it, towards us. Its port; ended with the test. */
export async function badLine(target: number, toxic: Toxic): Promise<number> {
  const [api, port] = [await freePort(), await freePort()];
  await startServer(api, PROGRAM, ['-host', '127.0.0.1', '-port', String(api)]);
  const post = async (where: string, body: object): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${api}${where}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`toxiproxy said ${answer.status}: ${await answer.text()}`);
  };
  await post('/proxies', { name: 'line', listen: `127.0.0.1:${port}`, upstream: `127.0.0.1:${target}`, enabled: true });
  await post('/proxies/line/toxics', { ...toxic, stream: 'downstream' });
  return port;
}
