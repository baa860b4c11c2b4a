import type { ComposedBody, ComposedRequest } from '../model/replay/composed-request.ts';

const VARIABLE = /\{\{\s*([\w.-]{1,64})\s*\}\}/g;

function filledBody(body: ComposedBody, fill: (text: string) => string): ComposedBody {
  if (body.kind === 'text') return { ...body, text: fill(body.text) };
  if (body.kind === 'file') return { ...body, path: fill(body.path) };
  if (body.kind !== 'form') return body;
  const parts = body.parts.map((part) =>
    part.kind === 'text'
      ? { ...part, name: fill(part.name), text: fill(part.text) }
      : { ...part, name: fill(part.name), path: fill(part.path) },
  );
  return { ...body, parts };
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
  const filled: ComposedRequest = {
    ...request,
    url: fill(request.url),
    headers: request.headers.map(([name, value]) => [fill(name), fill(value)]),
    body: filledBody(request.body, fill),
  };
  return { request: filled, unknown: [...unknown] };
}
