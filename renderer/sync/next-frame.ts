/** Runs in the next frame. A hidden page has no frames: there it runs after 200 ms. */
export function nextFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run, 200);
  else requestAnimationFrame(run);
}
