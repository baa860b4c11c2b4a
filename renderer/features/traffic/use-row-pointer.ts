import { type MouseEvent, useState } from 'react';
import { useApp } from '../app-context.ts';
import { type MenuPlace, menuPlace } from './row-menu.tsx';

function exchangeAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-exchange]') : null;
  return row === null ? null : Number(row.getAttribute('data-exchange'));
}

/** What a pointer does on the list: a click selects and inspects, a right click (or Shift+F10) opens the row's menu. */
export function useRowPointer() {
  const { store } = useApp();
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const onClick = (event: MouseEvent): void => {
    const id = exchangeAt(event.target);
    if (id !== null) store.setState({ selected: id, inspecting: true });
  };
  const onContextMenu = (event: MouseEvent): void => {
    const id = exchangeAt(event.target) ?? store.getState().selected;
    const place = id === null ? null : menuPlace(id, event);
    if (place === null) return;
    event.preventDefault();
    store.setState({ selected: place.row });
    setMenu(place);
  };
  return { onClick, onContextMenu, menu, closeMenu: () => setMenu(null) };
}
