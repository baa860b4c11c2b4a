import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../failures/errors.ts';

/** For HARs and bodies: they hold cookies and passwords. */
const PRIVATE = 0o600;

/**
 * A file that is written for the user: a HAR, a body, an exported certificate. It appears whole or not at all.
 *
 * The bytes go to a new file beside the target, under a random name that is created exclusively: two processes never
 * share it, and a symbolic link under that name is refused, not followed. `finish` syncs the file and renames it; a
 * target that is a link is replaced, not written through. A device (`/dev/null`) is written to directly, because a
 * rename would replace the device.
 */
export class UserFile {
  readonly #path: string;
  readonly #temporary: string | null;
  readonly #handle: FileHandle;
  #bytes = 0;

  /**
   * `mode`: for a new file; one that is there and belongs to this user passes its own on. Rejects as `fs` does, with
   * `EISDIR` for a folder and `EINVAL` for a pipe or a socket.
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

  /** Rejects as `create` does, and leaves nothing behind. */
  static async check(file: string): Promise<void> {
    await (await UserFile.create(file)).discard();
  }

  private constructor(file: string, temporary: string | null, handle: FileHandle) {
    this.#path = file;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Resolves when there is room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await this.#handle.write(bytes, at)).bytesWritten;
    this.#bytes += bytes.length;
  }

  /** Resolves with the file's size, bytes, when it is in its place. */
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

  /** Leaves nothing behind. Never rejects. */
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
    // Nothing there, or a link to nothing: what else is wrong with the place, opening the new file reports.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function refused(code: string, sentence: string): Error {
  return Object.assign(new Error(sentence), { code });
}

/** Null where there is none, or another user made it: that user would choose who reads ours. */
async function modeOf(file: string): Promise<number | null> {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())) return null;
  return found.mode & 0o777;
}
