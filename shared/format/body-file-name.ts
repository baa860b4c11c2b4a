/** Media types whose usual extension differs from the subtype. */
const EXTENSIONS: Record<string, string> = {
  'application/javascript': 'js',
  'application/json': 'json',
  'application/octet-stream': 'bin',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'font/woff2': 'woff2',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/event-stream': 'txt',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/plain': 'txt',
};

function extensionOf(mediaType: string): string {
  const known = Object.hasOwn(EXTENSIONS, mediaType) ? EXTENSIONS[mediaType] : undefined;
  if (known) return known;
  if (/[+/]json$/.test(mediaType)) return 'json';
  const own = /^(?:image|video|audio|text|font)\/(?:x-)?([a-z0-9]{2,5})$/.exec(mediaType)?.[1];
  return own ?? 'bin';
}

/**
 * The name of a body's file: the last part of the path, without characters that a file system or a dialog rejects, and
 * with an extension for its media type if it has none. `extension` is without the dot.
 */
export function bodyFileName(path: string, mediaType: string): { name: string; extension: string } {
  const last = (path.split(/[?#]/, 1)[0] ?? '').split('/').at(-1) ?? '';
  const clean = last
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(-80);
  const own = /\.([A-Za-z0-9]{1,8})$/.exec(clean)?.[1];
  if (own) return { name: clean, extension: own };
  const extension = extensionOf(mediaType);
  return { name: `${clean || 'body'}.${extension}`, extension };
}
