/**
 * Whether a message has more than `limit` characters and values together. Stops counting at the limit: a huge
 * or circular message (Electron's IPC carries those) costs no more than the limit.
 */
export function isLargerThan(message: unknown, limit: number): boolean {
  const waiting: unknown[] = [message];
  let size = 0;
  for (let value = waiting.pop(); ; value = waiting.pop()) {
    size += 1;
    if (typeof value === 'string') size += value.length;
    if (ArrayBuffer.isView(value)) size += value.byteLength;
    else if (Array.isArray(value)) {
      if (size + value.length > limit) return true;
      waiting.push(...value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        size += key.length;
        waiting.push(inner);
      }
    }
    if (size > limit) return true;
    if (waiting.length === 0) return false;
  }
}
