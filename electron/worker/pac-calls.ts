/** What the PAC thread is born with. */
export interface PacThreadData {
  /** The interpreter, quickjs.wasm. */
  wasmFile: string;
}

/** What may be asked of it. Rejects with `proxy.pac-failed`. */
export type PacCalls = {
  find: { input: { script: string; url: string; host: string }; output: string };
};
