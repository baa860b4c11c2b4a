import * as v from 'valibot';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const WindowStateSchema = v.object({
  x: v.number(),
  y: v.number(),
  width: v.pipe(v.number(), v.minValue(1)),
  height: v.pipe(v.number(), v.minValue(1)),
  maximized: v.boolean(),
});
export type WindowState = v.InferOutput<typeof WindowStateSchema>;

export const SMALLEST = { width: 800, height: 500 };
const USUAL = { width: 1280, height: 800 };
/** The title bar's minimum visible width for dragging the window back, in pixels. */
const GRIP = 80;

function overlap(a: Rectangle, b: Rectangle): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

/** Whether enough of the title bar is visible on a display. */
function isReachable(bounds: Rectangle, areas: readonly Rectangle[]): boolean {
  const titleBar = { ...bounds, height: 30 };
  return areas.some((area) => {
    const seen = overlap(titleBar, area);
    return seen.width >= GRIP && seen.height >= titleBar.height / 2;
  });
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(value, most)));
}

/**
 * Returns the bounds for a window: the last ones, or, if that display is gone, the same size centered on the first.
 * `areas`: work areas of all displays, the primary first.
 */
export function placeWindow(kept: WindowState | null, areas: readonly Rectangle[]): Rectangle {
  const area = areas[0] ?? { x: 0, y: 0, ...USUAL };
  if (kept && isReachable(kept, areas)) {
    return {
      x: kept.x,
      y: kept.y,
      width: Math.max(kept.width, SMALLEST.width),
      height: Math.max(kept.height, SMALLEST.height),
    };
  }
  const width = clamp(kept?.width ?? USUAL.width, Math.min(SMALLEST.width, area.width), area.width);
  const height = clamp(kept?.height ?? USUAL.height, Math.min(SMALLEST.height, area.height), area.height);
  return {
    ...{ width, height },
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) / 2),
  };
}
