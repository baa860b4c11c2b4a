import path from 'node:path';
import type { Protocol } from '../../shared/model/connection.ts';
import { exampleExchange } from './example-exchange.ts';
import { record, startRecorder } from './recording.ts';

export interface PageSession {
  /** The session file. */
  file: string;
  url: string;
}

export interface Part {
  url: string;
  type: string;
  body: string | Buffer;
  /** Milliseconds. */
  wait?: number;
  fields?: readonly string[];
  requestFields?: readonly string[];
  method?: string;
  status?: number;
  destination?: string;
}

/** A page with a style sheet, images, and a fetch that needs a preflight, on two origins. */
function partsOf(scheme: 'http' | 'https', images: number): Part[] {
  const shop = `${scheme}://shop.test`;
  const api = `${scheme}://api.test`;
  const tags = Array.from({ length: images }, (_each, index) => `<img src="/images/${index}.svg">`).join('');
  const script = `fetch('${api}/items?at=' + Date.now() + '&r=' + Math.random(), { headers: { 'x-shop': '1' } })`;
  const allowed = ['access-control-allow-origin', shop, 'access-control-allow-headers', 'x-shop'];
  const image = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
  return [
    {
      ...{ url: `${shop}/`, type: 'text/html', wait: 20, destination: 'document' },
      body: `<!doctype html><link rel=stylesheet href=/s.css><body>${tags}<script>${script}</script>`,
    },
    { url: `${shop}/s.css`, type: 'text/css', body: `body { background: url(${api}/back.svg) }` },
    ...Array.from({ length: images }, (_each, index) => ({
      ...{ url: `${shop}/images/${index}.svg`, type: 'image/svg+xml', body: image, wait: 5 },
    })),
    { url: `${api}/back.svg`, type: 'image/svg+xml', body: image },
    { url: `${api}/items?at=1&r=0.5`, type: 'text/plain', body: '', method: 'OPTIONS', status: 204, fields: allowed },
    { url: `${api}/items?at=1&r=0.5`, type: 'application/json', body: '[]', wait: 30, fields: allowed },
  ];
}

export async function pageSession(folder: string, scheme: 'http' | 'https', images: number): Promise<PageSession> {
  const file = path.join(folder, 'page.roundtrip');
  await recordParts(file, partsOf(scheme, images));
  return { file, url: `https://shop.test/` };
}

/** As many loads of the page as there are numbers of images. */
export async function recordPages(file: string, scheme: 'http' | 'https', images: readonly number[]): Promise<void> {
  await recordParts(
    file,
    images.flatMap((count) => partsOf(scheme, count)),
  );
}

/** Records responses without a network. `clientProtocol`: what the browser spoke. */
export async function recordParts(
  file: string,
  parts: readonly Part[],
  clientProtocol: Protocol = 'http/1.1',
): Promise<void> {
  const { client } = exampleExchange();
  const recorder = await startRecorder(file);
  let page = '';
  for (const [index, part] of parts.entries()) {
    const { host, protocol, pathname, search, origin } = new URL(part.url);
    const scheme = protocol === 'https:' ? 'https' : 'http';
    const destination = part.destination ?? 'empty';
    if (destination === 'document') page = origin;
    const exchange = exampleExchange({
      id: index + 1,
      startedAt: 1_790_000_000_000 + index,
      client: { ...client, protocol: clientProtocol },
      request: {
        ...{ method: part.method ?? 'GET', scheme, authority: host, host, port: scheme === 'https' ? 443 : 80 },
        path: pathname + search,
        headers: ['Host', host, 'Sec-Fetch-Dest', destination, 'Origin', page, ...(part.requestFields ?? [])],
      },
      response: { status: part.status ?? 200, headers: ['Content-Type', part.type, ...(part.fields ?? [])] },
      timings: { dns: -1, connect: -1, ssl: -1, wait: part.wait ?? 1 },
    });
    record(recorder, exchange, { response: Buffer.from(part.body) });
  }
  await recorder.close();
}
