/** Arguments that make no sense; the message is the one line that says which. */
export class BadArguments extends Error {}
