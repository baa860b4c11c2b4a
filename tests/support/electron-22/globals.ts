/**
 * Globals that the product uses and the Node 16 of Electron 22 lacks. Only the bundles for Electron 22 include them.
 */

function canParse(url: string | URL, base?: string | URL): boolean {
  try {
    return new URL(url, base) !== undefined;
  } catch {
    return false;
  }
}

function throwIfAborted(this: AbortSignal): void {
  if (this.aborted) throw this.reason;
}

function toReversed(this: readonly unknown[]): unknown[] {
  return [...this].reverse();
}

function addMissing(to: object, name: string, value: unknown): void {
  if (!(name in to)) Object.defineProperty(to, name, { value, configurable: true, writable: true });
}

addMissing(URL, 'canParse', canParse);
addMissing(AbortSignal.prototype, 'throwIfAborted', throwIfAborted);
addMissing(Array.prototype, 'toReversed', toReversed);

export {};
