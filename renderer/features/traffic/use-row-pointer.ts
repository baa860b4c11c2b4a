import { type MouseEvent, useState } from 'react';
import { useApp } from '../app-context.ts';
import { type MenuPlace, menuPlace } from './row-menu.tsx';

/** The id of the row at an event's target; rows carry it as a data attribute. Null: beside any row. */
function exchangeAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-exchange]') : null;
  return row === null ? null : Number(row.getAttribute('data-exchange'));
}

/** Clicks on the list: a click selects and inspects a row; a right click or Shift+F10 opens its context menu. */
export function useRowPointer() {
  const { store } = useApp();
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const onClick = (event: MouseEvent): void => {
    const id = exchangeAt(event.target);
    if (id !== null) store.setState({ selected: id, inspecting: true });
  };
  const onContextMenu = (event: MouseEvent): void => {
    // Shift+F10 fires on the focused element, which is the list: take the selected row.
    const id = exchangeAt(event.target) ?? store.getState().selected;
    const place = id === null ? null : menuPlace(id, event);
    if (place === null) return;
    event.preventDefault();
    store.setState({ selected: place.row });
    setMenu(place);
  };
  return { onClick, onContextMenu, menu, closeMenu: () => setMenu(null) };
}
