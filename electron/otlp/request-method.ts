/** Methods that the conventions list. Others are `_OTHER`: a scanner would create a series for each. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY']);

/** The value of `http.request.method`. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** The method in a span's name: `HTTP` for one that the conventions do not list (HTTP spans, section "Name"). */
export function nameOfMethod(method: string): string {
  return METHODS.has(method) ? method : 'HTTP';
}
