/** Whether this is the desktop app's window: only it shows files in folders, and learns where a dropped file lies. */
export const IS_DESKTOP = window.roundtrip !== undefined;

/** The path of a dropped file; null in a browser, which tells no page. */
export function pathOfFile(file: File): string | null {
  return window.roundtrip?.pathOf(file) || null;
}
