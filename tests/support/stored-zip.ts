import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive, and where its headers lie about it. */
export interface ZipFile {
  name: string;
  content: string | Buffer;
  /** Default: stored. */
  deflated?: boolean;
  /** In both headers. */
  crc?: number;
  size?: number;
  packedSize?: number;
  flags?: number;
  /** MS-DOS' date; default: the first day, which stands for none. */
  date?: number;
  /** Where the directory says that its local header is. */
  offset?: number;
  /** Its sizes and checksum follow it, as programs write that do not know them before. */
  descriptor?: boolean;
}

/** A zip archive without compression. */
export function storedZip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  return zipArchive(Object.entries(files).map(([name, content]) => ({ name, content })));
}

export function zipArchive(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const { name, descriptor = false } = file;
    const plain = Buffer.from(file.content);
    const packed = file.deflated ? deflateRawSync(plain) : plain;
    const sums = Buffer.alloc(12);
    sums.writeUInt32LE(file.crc ?? crc32(plain), 0);
    sums.writeUInt32LE(file.packedSize ?? packed.length, 4);
    sums.writeUInt32LE(file.size ?? plain.length, 8);
    // What the local header and the directory share: version, flags, method, time, date, sums, name's length.
    const shared = (own: Buffer) => {
      const head = Buffer.alloc(10);
      head.writeUInt16LE(20, 0);
      head.writeUInt16LE((file.flags ?? 0) | (descriptor ? 8 : 0), 2);
      head.writeUInt16LE(file.deflated ? 8 : 0, 4);
      head.writeUInt16LE(file.date ?? 0x21, 8);
      const lengths = Buffer.alloc(4);
      lengths.writeUInt16LE(Buffer.byteLength(name), 0);
      return Buffer.concat([head, own, lengths]);
    };
    const behind = descriptor ? [Buffer.from('PK\x07\x08'), sums] : [];
    const local = [Buffer.from('PK\x03\x04'), shared(descriptor ? Buffer.alloc(12) : sums), Buffer.from(name), packed];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(file.offset ?? offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), shared(sums), rest, Buffer.from(name));
    locals.push(...local, ...behind);
    offset += [...local, ...behind].reduce((sum, { length }) => sum + length, 0);
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, entries, Buffer.from('PK\x05\x06'), end]);
}
