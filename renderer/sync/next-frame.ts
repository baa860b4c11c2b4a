/**
 * Runs in the next frame. A hidden page has no frames: there it runs after 200 ms, because its rows must be applied
 * too, or they would pile up until the page is visible again.
 */
export function nextFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run, 200);
  else requestAnimationFrame(run);
}
