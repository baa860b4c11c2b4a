import path from 'node:path';

/** tests/performance. */
export const HOME = path.resolve(import.meta.dirname, '..');
/** The project. */
export const PROJECT = path.resolve(HOME, '../..');
/** What is built or downloaded for the benchmark; git ignores it. */
export const CACHE = path.join(HOME, '.cache');
export const LOAD_CLIENT = path.join(CACHE, process.platform === 'win32' ? 'load.exe' : 'load');
export const MITMDUMP = path.join(CACHE, 'mitmproxy', 'bin', 'mitmdump');
export const HISTORY = path.join(HOME, 'history');
