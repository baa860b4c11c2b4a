import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DRAWN_CHANNEL } from '../../../../../electron/main/ipc/channels.ts';
import { firstDrawing } from '../../../../../electron/main/window/first-drawing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A window of which only the events matter. */
function fakeWindow() {
  return Object.assign(new EventEmitter(), { webContents: new EventEmitter() });
}

/** Whether it has resolved by now. */
async function isOver(drawing: Promise<void>): Promise<boolean> {
  return await Promise.race([drawing.then(() => true), Promise.resolve().then(() => false)]);
}

it('waits until the page has drawn', async () => {
  const window = fakeWindow();
  const drawing = firstDrawing(window as never);
  expect(await isOver(drawing)).toBe(false);
  window.webContents.emit('ipc-message', {}, 'another channel');
  expect(await isOver(drawing)).toBe(false);
  window.webContents.emit('ipc-message', {}, DRAWN_CHANNEL);
  expect(await isOver(drawing)).toBe(true);
});

it('does not wait for a page that never draws', async () => {
  const hung = firstDrawing(fakeWindow() as never);
  vi.advanceTimersByTime(2000);
  expect(await isOver(hung)).toBe(true);
  const [closed, crashed, failed] = [fakeWindow(), fakeWindow(), fakeWindow()];
  const drawings = [closed, crashed, failed].map((window) => firstDrawing(window as never));
  closed.emit('closed');
  crashed.webContents.emit('render-process-gone');
  failed.webContents.emit('did-fail-load');
  for (const drawing of drawings) expect(await isOver(drawing)).toBe(true);
});
