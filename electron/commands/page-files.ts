import fs from 'node:fs';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  type: string;
  bytes: Buffer;
}

/** Returns null for any path outside the folder, however it is encoded. */
function placeOf(folder: string, pathname: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const place = path.resolve(folder, `.${decoded === '/' ? '/index.html' : decoded}`);
  return place.startsWith(folder + path.sep) ? place : null;
}

function typedPlaceOf(folder: string, pathname: string): { place: string; type: string } | null {
  const place = placeOf(folder, pathname);
  const type = place === null ? undefined : TYPES[path.extname(place)];
  return place === null || type === undefined ? null : { place, type };
}

/** Returns the UI's file at a URL's path, or null. Reads nothing outside `folder`, an absolute path. */
export async function readPageFile(folder: string, pathname: string): Promise<PageFile | null> {
  const found = typedPlaceOf(folder, pathname);
  try {
    return found && { type: found.type, bytes: await fs.promises.readFile(found.place) };
  } catch {
    return null;
  }
}

/**
 * The same at once, for the app's own page: read piece by piece, its few files waited 30 ms behind the threads' starts.
 */
export function readPageFileNow(folder: string, pathname: string): PageFile | null {
  const found = typedPlaceOf(folder, pathname);
  try {
    return found && { type: found.type, bytes: fs.readFileSync(found.place) };
  } catch {
    return null;
  }
}
