import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hasProgram } from '../../support/has-program.ts';
import type { FaultyClient } from './client.ts';
import { runProgram } from './program.ts';

/** Builds a program of a folder here, with the modules that its go.mod pins. Null if that can't be done. */
function build(folder: string): string | null {
  if (!hasProgram('go', 'version')) return null;
  const cache = path.join(os.tmpdir(), 'roundtrip-test-packages');
  fs.mkdirSync(cache, { recursive: true });
  const program = path.join(cache, folder);
  const built = spawnSync('go', ['build', '-C', path.join(import.meta.dirname, folder), '-o', program, '.'], {
    stdio: 'ignore',
    timeout: 240_000,
  });
  return built.status === 0 ? program : null;
}

function goClient(name: string, folder: string): FaultyClient {
  let program: string | null | undefined;
  return {
    name,
    missing: () => {
      program ??= build(folder);
      return program === null ? `no Go, or the modules of ${folder} cannot be had` : null;
    },
    outcomes: (target, faults) => runProgram(program ?? '', [], target, faults),
  };
}

export const goHttp = goClient('Go net/http', 'go-http');
export const grpcGo = goClient('grpc-go', 'grpc-go');
