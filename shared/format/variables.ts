import type { ComposedRequest } from '../model/replay/composed-request.ts';

const VARIABLE = /\{\{\s*([\w.-]{1,64})\s*\}\}/g;

/** The names between `{{` and `}}`, each once, in order. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}

/**
 * The request with each `{{name}}` replaced by its value, in URL, headers and body. `unknown`: the names without a
 * value, which stay as they are. A value is text: `{{` in it is literal.
 */
export function withVariables(
  request: ComposedRequest,
  variables: Readonly<Record<string, string>>,
): { request: ComposedRequest; unknown: string[] } {
  const unknown = new Set<string>();
  const fill = (text: string): string =>
    text.replace(VARIABLE, (whole, name: string) => {
      if (Object.hasOwn(variables, name)) return variables[name] ?? '';
      unknown.add(name);
      return whole;
    });
  const { body } = request;
  const filled: ComposedRequest = {
    ...request,
    url: fill(request.url),
    headers: request.headers.map(([name, value]) => [fill(name), fill(value)]),
    body: body.kind === 'text' ? { kind: 'text', text: fill(body.text) } : body,
  };
  return { request: filled, unknown: [...unknown] };
}
