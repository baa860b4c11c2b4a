/** An item of a menu; the menu closes before `run`. */
export interface MenuItem {
  label: string;
  run: () => void;
}

/** An item that opens a menu next to it. One level is enough: deeper menus are hard to reach. */
export interface MenuOfItems {
  label: string;
  items: readonly MenuItem[];
}

/** Not in the tab order: the arrow keys move between items. */
export function MenuButton({ item, choose }: { item: MenuItem; choose: (item: MenuItem) => void }) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={() => choose(item)}>
      {item.label}
    </button>
  );
}
