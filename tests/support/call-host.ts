import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Reply } from '../../shared/contract/envelope.ts';

/**
 * One request to a web host, as its window would make it. `ui`: the address with its token. Rejects with a refusal's
 * sentence.
 */
export async function callHost(ui: string, name: string, input: unknown): Promise<unknown> {
  const url = new URL(ui);
  const socket = new WebSocket(`ws://${url.host}/inspector?token=${url.hash.replace('#token=', '')}`);
  await once(socket, 'open');
  const answered = new Promise<Reply>((resolve) =>
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString());
      if (message.call === 1) resolve(message);
    }),
  );
  socket.send(JSON.stringify({ call: 1, name, input }));
  const reply = await answered;
  socket.close();
  if (reply.ok) return reply.value;
  throw new Error(`${reply.problem.code}: ${reply.problem.message}`);
}
