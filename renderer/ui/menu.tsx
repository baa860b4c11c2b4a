import { type KeyboardEvent, type ToggleEvent, useLayoutEffect, useRef } from 'react';

/** An item of a menu; the menu closes before `run`. */
export interface MenuItem {
  label: string;
  run: () => void;
}

interface MenuProps {
  label: string;
  /** The top left corner, CSS pixels in the window. */
  at: { x: number; y: number };
  /** Groups are separated by a line. */
  groups: readonly (readonly MenuItem[])[];
  /** The menu has closed, for whatever reason: the caller unmounts it. */
  onClose: () => void;
}

/** Minimum distance from the window's edges, CSS pixels. */
const MARGIN = 8;

/** A context menu. The browser's popover closes it on Escape and on a click outside, and restores the focus. */
export function Menu({ label, at, groups, onClose }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    // Shown first: a hidden popover has no size to position by. The layout effect runs before the paint.
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(MARGIN, Math.min(at.x, window.innerWidth - width - MARGIN))}px`;
    menu.style.top = `${Math.max(MARGIN, Math.min(at.y, window.innerHeight - height - MARGIN))}px`;
    itemsOf(menu)[0]?.focus();
  }, [at]);
  const choose = (item: MenuItem) => {
    element.current?.hidePopover();
    item.run();
  };
  return (
    <div
      ref={element}
      popover="auto"
      className="menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={moveFocus}
      onToggle={(event: ToggleEvent) => event.newState === 'closed' && onClose()}
    >
      {groups.map((group) => (
        <div key={group[0]?.label} className="menu-group">
          {group.map((item) => (
            <button key={item.label} type="button" role="menuitem" tabIndex={-1} onClick={() => choose(item)}>
              {item.label}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

/** Up and Down wrap around, and Tab closes the menu (WAI-ARIA Authoring Practices, menu pattern). */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const now = items.indexOf(document.activeElement as HTMLElement);
  const places: Record<string, number> = {
    ArrowDown: (now + 1) % items.length,
    ArrowUp: (Math.max(now, 0) + items.length - 1) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const place = places[event.key];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  else if (place === undefined) return;
  else items[place]?.focus();
  event.preventDefault();
  // The list behind the menu has arrow keys too.
  event.stopPropagation();
}
