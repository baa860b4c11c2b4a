import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../failures/errors.ts';

/** For HARs and bodies: they hold cookies and passwords. */
const PRIVATE = 0o600;

/**
 * A file written for the user: a HAR, a body, an exported certificate. It appears complete or not at all.
 *
 * The bytes go to a new file next to the target, under a random name that is created exclusively: two processes never
 * share it, and a symbolic link with that name is rejected rather than followed. `finish` syncs and renames the file; a
 * target that is a link is replaced, not written through. A device (`/dev/null`) is written to directly, because a
 * rename would replace the device.
 */
export class UserFile {
  readonly #path: string;
  readonly #temporary: string | null;
  readonly #handle: FileHandle;
  #bytes = 0;

  /**
   * `mode`: for a new file; an existing file of this user keeps its mode. Rejects as `fs` does, with `EISDIR` for a
   * folder and `EINVAL` for a pipe or a socket.
   */
  static async create(file: string, mode = PRIVATE): Promise<UserFile> {
    if (await isDevice(file)) return new UserFile(file, null, await open(file, 'w'));
    const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}`);
    const handle = await open(temporary, 'wx', PRIVATE);
    const made = new UserFile(file, temporary, handle);
    try {
      await handle.chmod((await modeOf(file)) ?? mode);
      return made;
    } catch (error) {
      await made.discard();
      throw error;
    }
  }

  /** Checks that the file can be written, without leaving anything behind. Rejects as `create` does. */
  static async check(file: string): Promise<void> {
    await (await UserFile.create(file)).discard();
  }

  private constructor(file: string, temporary: string | null, handle: FileHandle) {
    this.#path = file;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Resolves when the bytes are written. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await this.#handle.write(bytes, at)).bytesWritten;
    this.#bytes += bytes.length;
  }

  /** Puts the file in place. Resolves with its size, bytes. */
  async finish(): Promise<number> {
    if (this.#temporary === null) {
      await this.#handle.close();
      return this.#bytes;
    }
    // Some systems report a full disk only here.
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#temporary, this.#path);
    return this.#bytes;
  }

  /** Deletes the temporary file. Never rejects. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    if (this.#temporary !== null) await rm(this.#temporary, { force: true }).catch(() => undefined);
  }
}

/** Writes a whole file at once. Rejects as `UserFile.create` does. */
export async function writeUserFile(file: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const made = await UserFile.create(file, mode);
  try {
    await made.write(bytes);
    await made.finish();
  } catch (error) {
    await made.discard();
    throw error;
  }
}

async function isDevice(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw refused('EISDIR', 'it is a folder');
    if (!found.isFile() && !found.isCharacterDevice()) throw refused('EINVAL', 'it is not a regular file');
    return found.isCharacterDevice();
  } catch (error) {
    // No file, or a dangling link. Opening the new file reports any other problem with the path.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function refused(code: string, sentence: string): Error {
  return Object.assign(new Error(sentence), { code });
}

/**
 * The mode of an existing file; null if there is none or another user owns it, who would then choose our file's
 * readers.
 */
async function modeOf(file: string): Promise<number | null> {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())) return null;
  return found.mode & 0o777;
}
