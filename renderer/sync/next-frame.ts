/** Once a frame; in a hidden page, which has no frames, five times a second. */
export function nextFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run, 200);
  else requestAnimationFrame(run);
}
