import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';

export interface ReceivedResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A request through a proxy, on a separate connection. Resolves with the whole response. */
export async function requestThrough(
  proxy: string,
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string } = {},
): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(proxy);
  const fields = { host: new URL(url).host, ...headers };
  const request = http.request({ hostname, port, method, path: url, headers: fields, agent: false }).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
