import { ChevronRight } from 'lucide-react';
import { type ToggleEvent, useEffect, useRef, useState } from 'react';
import { MenuButton, type MenuItem, type MenuOfItems } from './menu-items.tsx';
import { itemsOf, moveFocus, placeInWindow, takeKey } from './menu-keys.ts';

/** CSS pixels by which the menus overlap: the pointer leaves neither on its way to the other. */
const OVERLAP = 4;
/** Milliseconds that a menu stays open without the pointer, which may cross other items on its way to it. */
const GRACE = 250;

/** Opens and closes the menu next to its item. */
function useSubMenu() {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(leaving.current), []);
  const show = () => {
    clearTimeout(leaving.current);
    const [from, to] = [button.current?.getBoundingClientRect(), menu.current];
    if (!from || !to || to.matches(':popover-open')) return;
    to.showPopover();
    const right = from.right - OVERLAP;
    const fits = right + to.offsetWidth <= window.innerWidth;
    placeInWindow(to, fits ? right : from.left - to.offsetWidth + OVERLAP, from.top - OVERLAP);
  };
  const leave = () => {
    leaving.current = setTimeout(() => menu.current?.hidePopover(), GRACE);
  };
  const enter = () => {
    show();
    if (menu.current) itemsOf(menu.current)[0]?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  return { button, menu, show, leave, enter, close };
}

interface SubMenuProps extends MenuOfItems {
  choose: (item: MenuItem) => void;
}

/**
 * An item with a menu next to it. The pointer opens it; by keyboard, Enter and Right open it, Left and Escape close it
 * (WAI-ARIA Authoring Practices, menu pattern).
 */
export function SubMenu({ label, items, choose }: SubMenuProps) {
  const { button, menu, show, leave, enter, close } = useSubMenu();
  const [open, setOpen] = useState(false);
  return (
    <div onPointerEnter={show} onPointerLeave={leave}>
      <button
        ref={button}
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="has-menu"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={enter}
        onKeyDown={takeKey('ArrowRight', enter)}
      >
        {label}
        <ChevronRight size={14} aria-hidden="true" />
      </button>
      <div
        ref={menu}
        popover="auto"
        className="menu"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={(event) => {
          takeKey('ArrowLeft', close)(event);
          // Tab closes both menus: the outer one handles it.
          if (event.key !== 'Tab') moveFocus(event);
        }}
        onToggle={(event: ToggleEvent) => setOpen(event.newState === 'open')}
      >
        {items.map((item) => (
          <MenuButton key={item.label} item={item} choose={choose} />
        ))}
      </div>
    </div>
  );
}
