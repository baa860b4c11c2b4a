/** `workerData` of the PAC thread. */
export interface PacThreadData {
  /** Path of the interpreter, quickjs.wasm. */
  wasmFile: string;
}

/** Calls to the PAC thread. They reject with `proxy.pac-failed`. */
export type PacCalls = {
  find: { input: { script: string; url: string; host: string }; output: string };
};
