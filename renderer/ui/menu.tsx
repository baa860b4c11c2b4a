import { type ToggleEvent, useLayoutEffect, useRef } from 'react';
import { MenuButton, type MenuItem, type MenuOfItems } from './menu-items.tsx';
import { itemsOf, moveFocus, placeInWindow } from './menu-keys.ts';
import { SubMenu } from './sub-menu.tsx';

interface MenuProps {
  label: string;
  /** The top left corner, CSS pixels in the window. */
  at: { x: number; y: number };
  /** Groups are separated by a line. */
  groups: readonly (readonly (MenuItem | MenuOfItems)[])[];
  /** The menu has closed, for any reason: the caller unmounts it. */
  onClose: () => void;
}

/** A context menu. The browser's popover closes it on Escape and on a click outside, and restores the focus. */
export function Menu({ label, at, groups, onClose }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    // Shown first: a hidden popover has no size to position by. The layout effect runs before the paint.
    menu.showPopover();
    placeInWindow(menu, at.x, at.y);
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
      onToggle={(event: ToggleEvent) => {
        // React's toggle events bubble: those of a menu inside this one arrive here too.
        if (event.target === event.currentTarget && event.newState === 'closed') onClose();
      }}
    >
      {groups.map((group) => (
        <div key={group[0]?.label} className="menu-group">
          {group.map((item) => (
            <Entry key={item.label} item={item} choose={choose} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Entry({ item, choose }: { item: MenuItem | MenuOfItems; choose: (item: MenuItem) => void }) {
  return 'items' in item ? <SubMenu {...item} choose={choose} /> : <MenuButton item={item} choose={choose} />;
}
