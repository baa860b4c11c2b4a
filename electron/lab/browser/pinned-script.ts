/**
 * A script that runs in each document before its own scripts, in the browser's realm. It must not use anything from
 * outside its body.
 */
function pin(startedAt: number): void {
  // Mulberry32: 32 bits of state are enough for a page, and the sequence is the same in each load.
  let state = 0x9e3779b9;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  Math.random = random;
  crypto.getRandomValues = (array) => {
    if (array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = random() * 256;
    }
    return array;
  };
  const RealDate = Date;
  // Whole seconds: URLs that contain the time are the same in each load, and scripts that wait for a time continue.
  const now = (): number => startedAt + Math.floor(performance.now() / 1000) * 1000;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length > 0 ? given : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  // By default a page keeps 250 entries.
  performance.setResourceTimingBufferSize(100_000);
}

/** The source of the script that pins time and randomness. `startedAt`: the page's clock begins there, Unix ms. */
export function pinnedScript(startedAt: number): string {
  return `(${pin})(${Math.floor(startedAt)});`;
}
