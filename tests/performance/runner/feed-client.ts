/** Listens to the feed as an open window does, over the web host's WebSocket. `ui`: the address with its token. */
export async function openFeed(ui: string): Promise<{ close(): void; batches(): number }> {
  const { host, hash } = new URL(ui);
  const socket = new WebSocket(`ws://${host}/inspector?${hash.slice(1)}`);
  let batches = 0;
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the feed cannot be opened')));
    socket.addEventListener('open', () => socket.send(JSON.stringify({ call: 1, name: 'feed.subscribe', input: {} })));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('{"call":1,"ok":true')) resolve();
      else if (text.startsWith('{"call":1')) reject(new Error(`the feed was refused: ${text}`));
      else if (text.startsWith('{"event":"feed.batch"')) batches += 1;
    });
  });
  return { close: () => socket.close(), batches: () => batches };
}
