import http from 'node:http';

/** Node 18.15. */
function setHeaders(this: http.ServerResponse, headers: Map<string, string>): http.ServerResponse {
  for (const [name, value] of headers) this.setHeader(name, value);
  return this;
}

Object.defineProperty(http.ServerResponse.prototype, 'setHeaders', { value: setHeaders });
// Node 18.2. No test leaves a connection to the app's web host open.
Object.defineProperty(http.Server.prototype, 'closeAllConnections', { value: () => undefined });

export default http;
export * from 'node:http';
