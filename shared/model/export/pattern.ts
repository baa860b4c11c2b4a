/** Whether a text is a regular expression that matches something. */
export function isPattern(text: string): boolean {
  try {
    return text !== '' && new RegExp(text).source !== '';
  } catch {
    return false;
  }
}
