/** Invalid arguments; the message says in one line which. */
export class BadArguments extends Error {}
