import { describe, expect, it } from 'vitest';
import { placeWindow } from '../../../../../electron/main/window/window-state.ts';

const DISPLAY = { x: 0, y: 25, width: 1440, height: 875 };
const SECOND = { x: 1440, y: 0, width: 1920, height: 1080 };
const KEPT = { x: 1500, y: 100, width: 1000, height: 700, maximized: false };

describe('window state', () => {
  it('puts a window where it was', () => {
    expect(placeWindow(KEPT, [DISPLAY, SECOND])).toEqual({ x: 1500, y: 100, width: 1000, height: 700 });
  });

  it('restores a window whose display is gone, at its size', () => {
    expect(placeWindow(KEPT, [DISPLAY])).toEqual({ x: 220, y: 113, width: 1000, height: 700 });
  });

  it('restores a window whose title bar is out of reach', () => {
    const above = { ...KEPT, x: 100, y: -300 };
    expect(placeWindow(above, [DISPLAY]).y).toBeGreaterThanOrEqual(DISPLAY.y);
    const aside = { ...KEPT, x: 1400, y: 100 };
    expect(placeWindow(aside, [DISPLAY]).x).toBe(220);
  });

  it('is in the middle the first time, and fits', () => {
    expect(placeWindow(null, [DISPLAY])).toEqual({ x: 80, y: 63, width: 1280, height: 800 });
    expect(placeWindow(null, [{ x: 0, y: 0, width: 1024, height: 600 }])).toEqual({
      x: 0,
      y: 0,
      width: 1024,
      height: 600,
    });
  });

  it('is no smaller than its content needs', () => {
    expect(placeWindow({ ...KEPT, width: 10, height: 10, x: 0, y: 30 }, [DISPLAY])).toMatchObject({ width: 800 });
  });
});
