export type Koffi = typeof import('koffi')['default'];

/** A call on a thread of the pool; resolves with the function's status code. Rejects if the call cannot be made. */
export type ForeignCall = (...parameters: unknown[]) => Promise<number>;

/** Wraps a system library's function that may block on a server. `prototype`: its C prototype. */
export function foreignCall(library: ReturnType<Koffi['load']>, prototype: string): ForeignCall {
  const func = library.func(prototype);
  return (...parameters) =>
    new Promise((resolve, reject) => {
      func.async(...parameters, (error: Error | null, status: number) => (error ? reject(error) : resolve(status)));
    });
}
