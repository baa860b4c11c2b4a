/** Whether this is the desktop app's window: only it shows files in folders, and knows where a dropped file is. */
export const IS_DESKTOP = window.roundtrip !== undefined;

/** The path of a dropped file; null in a browser, which tells no page. */
export function pathOfFile(file: File): string | null {
  return window.roundtrip?.pathOf(file) || null;
}
