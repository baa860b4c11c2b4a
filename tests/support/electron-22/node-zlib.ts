/** Node 22.15 added zstd. */
export function createZstdDecompress(): never {
  throw new Error('Electron 22 has no zstd');
}

export function zstdCompress(): never {
  throw new Error('Electron 22 has no zstd');
}

export * from 'node:zlib';
