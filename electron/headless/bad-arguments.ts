/** Invalid arguments; the message names them in one line. */
export class BadArguments extends Error {}
