import { type FileHandle, open } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { describe } from '../../../failures/errors.ts';
import { filePieces } from './file-pieces.ts';
import { savedAt } from './saved-at.ts';
import { ENCRYPTED, overLimit, type ReadPart, WRONG_SUM } from './saz-parts.ts';

// ZIP's specification (APPNOTE 6.3.10), sections 4.3.7 and 4.3.9.
const LOCAL = 0x04034b50;
const HEADER = 30;
const IS_ENCRYPTED = 0x1;
/** Sizes and checksum follow the data, in a descriptor of one of these lengths. */
const HAS_DESCRIPTOR = 0x8;
const DESCRIPTORS = [16, 12, 24, 20];
const STORED = 0;
const DEFLATED = 8;
/** Size fields that stand in an extra field instead. */
const ELSEWHERE = 0xffffffff;

/** A file of an archive. */
export interface LocalFile extends ReadPart {
  name: string;
  /** Where its data ends in the archive. */
  end: number;
}

interface Header {
  name: string;
  flags: number;
  method: number;
  crc: number;
  /** Bytes in the archive; null: unknown before they are unpacked. */
  packed: number | null;
  start: number;
  writtenAt: number | null;
}

/**
 * The files of an archive by their own headers, without its directory: up to where the next header is not found.
 * `limitOf`: bytes of a file that are kept. Rejects with the system's error.
 */
export async function* localFiles(path: string, limitOf: (name: string) => number): AsyncGenerator<LocalFile> {
  const handle = await open(path);
  try {
    for (let at: number | null = 0; at !== null; ) {
      const header = await headerAt(handle, at);
      if (header === null) return;
      const { name, writtenAt } = header;
      const { end, ...part } = await contentOf(handle, header, limitOf(name));
      yield { name, writtenAt, ...part, end };
      at = await nextHeader(handle, header, end);
    }
  } finally {
    await handle.close();
  }
}

async function headerAt(handle: FileHandle, at: number): Promise<Header | null> {
  const fixed = await bytesAt(handle, at, HEADER);
  if (fixed.length < HEADER || fixed.readUInt32LE(0) !== LOCAL) return null;
  const [nameLength, extraLength] = [fixed.readUInt16LE(26), fixed.readUInt16LE(28)];
  const flags = fixed.readUInt16LE(6);
  const packed = fixed.readUInt32LE(18);
  const isUnknown = (flags & HAS_DESCRIPTOR) !== 0 || packed === ELSEWHERE;
  return {
    name: (await bytesAt(handle, at + HEADER, nameLength)).toString('latin1'),
    flags,
    method: fixed.readUInt16LE(8),
    crc: fixed.readUInt32LE(14),
    packed: isUnknown ? null : packed,
    start: at + HEADER + nameLength + extraLength,
    writtenAt: savedAt(fixed.readUInt16LE(12), fixed.readUInt16LE(10)),
  };
}

type Content = Pick<ReadPart, 'bytes' | 'problem'> & { end: number };

async function contentOf(handle: FileHandle, header: Header, limit: number): Promise<Content> {
  const { flags, method, packed, start } = header;
  const without = (problem: string): Content => ({ bytes: null, problem, end: start + (packed ?? 0) });
  if ((flags & IS_ENCRYPTED) !== 0) return without(ENCRYPTED);
  if (method === STORED && packed !== null) return await storedContent(handle, header, packed, limit);
  if (method !== DEFLATED) return without('is packed in a way that is not supported');
  return await inflatedContent(handle, header, limit);
}

async function storedContent(
  handle: FileHandle,
  { start, crc }: Header,
  packed: number,
  limit: number,
): Promise<Content> {
  const end = start + packed;
  if (packed > limit) return { bytes: null, problem: overLimit(limit), end };
  const bytes = await bytesAt(handle, start, packed);
  if (bytes.length < packed) return { bytes: null, problem: 'is cut short', end };
  return { bytes, problem: crc32(bytes) === crc ? null : WRONG_SUM, end };
}

/** Unpacks to the end of the data, which the data itself marks, and keeps no more than the limit. */
async function inflatedContent(handle: FileHandle, { start, flags, crc }: Header, limit: number): Promise<Content> {
  const source = filePieces((position, length) => bytesAt(handle, position, length), start);
  const inflate = createInflateRaw();
  source.on('error', (error) => inflate.destroy(error));
  const pieces: Buffer[] = [];
  let size = 0;
  let problem: string | null = null;
  try {
    for await (const piece of source.pipe(inflate) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size <= limit) pieces.push(piece);
    }
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: describe(error) };
    problem = message === 'unexpected end of file' ? 'is cut short' : `can't be unpacked: ${describe(error)}`;
  } finally {
    source.destroy();
  }
  const end = start + inflate.bytesWritten;
  if (problem === null && size > limit) problem = overLimit(limit);
  if (problem !== null) return { bytes: null, problem, end };
  const bytes = Buffer.concat(pieces);
  const isKnown = (flags & HAS_DESCRIPTOR) === 0;
  return { bytes, problem: isKnown && crc32(bytes) !== crc ? WRONG_SUM : null, end };
}

async function nextHeader(handle: FileHandle, { flags, packed, start }: Header, end: number): Promise<number | null> {
  if ((flags & HAS_DESCRIPTOR) === 0) return packed === null ? end : start + packed;
  const behind = await bytesAt(handle, end, Math.max(...DESCRIPTORS) + 4);
  const length = DESCRIPTORS.find((one) => behind.length >= one + 4 && behind.readUInt32LE(one) === LOCAL);
  return length === undefined ? null : end + length;
}

/** Fewer bytes at the end of the file. */
async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
