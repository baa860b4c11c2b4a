/**
 * The compiled code of the interpreter, for any number of interpreters. Compiling takes longer than everything else
 * that they need.
 */
export type InterpreterCode = object;

// Node's types lack WebAssembly, and the DOM's include much that threads lack.
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } };

/** `wasm`: the content of quickjs.wasm. */
export function interpreterCode(wasm: Uint8Array): InterpreterCode {
  return new WebAssembly.Module(wasm);
}
