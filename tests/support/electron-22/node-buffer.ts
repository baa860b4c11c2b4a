export * from 'node:buffer';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Node 18.14 added it. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
