import type { KeyboardEvent } from 'react';

/** Minimum distance from the window's edges, CSS pixels. */
const MARGIN = 8;

/** Puts an element that is shown at a place in the window, CSS pixels, or as near to it as it fits. */
export function placeInWindow(element: HTMLElement, left: number, top: number): void {
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - width - MARGIN))}px`;
  element.style.top = `${Math.max(MARGIN, Math.min(top, window.innerHeight - height - MARGIN))}px`;
}

/** The items of a menu, without those of a menu inside it. */
export function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')].filter(
    (item) => item.closest('[role=menu]') === menu,
  );
}

/** Handles one key. Neither the browser nor the list behind the menu, which has arrow keys too, gets it. */
export function takeKey(key: string, run: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== key) return;
    run();
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Up and Down wrap around, and Tab closes the menu (WAI-ARIA Authoring Practices, menu pattern). */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const menu = event.currentTarget;
  const items = itemsOf(menu);
  const now = items.indexOf(document.activeElement as HTMLElement);
  const places: Record<string, number> = {
    ArrowDown: (now + 1) % items.length,
    ArrowUp: (Math.max(now, 0) + items.length - 1) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const place = places[event.key];
  takeKey('Tab', () => menu.hidePopover())(event);
  if (place !== undefined) takeKey(event.key, () => items[place]?.focus())(event);
}
