/** Replaces what precedes an `@` in an address: a user and a password, which no record may hold. */
export function withoutLogin(text: string): string {
  return text.replace(/[^\s/]*@/g, '...@');
}

/** Part of a message, for the sentence of a failure: at most `limit` characters, and no login. */
export function quoted(text: string, limit = 80): string {
  return JSON.stringify(withoutLogin(text).slice(0, limit));
}

/** The start of a header line for such a sentence. What follows its first word may be a password. */
export function quotedStart(line: string): string {
  const [word = ''] = /^[^\s:]*/.exec(line) ?? [];
  return JSON.stringify(word.slice(0, 80));
}
