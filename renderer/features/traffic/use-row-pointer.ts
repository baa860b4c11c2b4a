import { type MouseEvent, useState } from 'react';
import { extendedTo, manySelected, toggled } from '../../state/row-selection.ts';
import { useApp } from '../app-context.ts';
import { type MenuPlace, menuPlace } from './row-menu.tsx';

/** The id of the row at an event's target; rows carry it as a data attribute. Null: outside of all rows. */
function exchangeAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-exchange]') : null;
  return row === null ? null : Number(row.getAttribute('data-exchange'));
}

/**
 * Clicks on the list: a click selects and inspects a row, with Shift it selects a range, with Ctrl or Cmd it adds or
 * removes a row; a right click or Shift+F10 opens the row's context menu.
 */
export function useRowPointer() {
  const { store, table } = useApp();
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const onClick = (event: MouseEvent): void => {
    const id = exchangeAt(event.target);
    if (id === null) return;
    if (event.shiftKey) store.setState((state) => extendedTo(state, table.visible, id));
    else if (event.ctrlKey || event.metaKey) store.setState((state) => toggled(state, id));
    else store.setState({ selected: id, selection: null, inspecting: true });
  };
  const onContextMenu = (event: MouseEvent): void => {
    // Shift+F10 fires on the focused element, which is the list: take the selected row.
    const id = exchangeAt(event.target) ?? store.getState().selected;
    const place = id === null ? null : menuPlace(id, event);
    if (place === null) return;
    event.preventDefault();
    // The menu of one of several selected rows leaves them selected.
    const many = manySelected(store.getState());
    if (many?.ids.has(place.row)) store.setState({ selected: place.row, selection: { ...many, focus: place.row } });
    else store.setState({ selected: place.row });
    setMenu(place);
  };
  // Selects a range of rows, not their text.
  const onMouseDown = (event: MouseEvent): void => {
    if (event.shiftKey && exchangeAt(event.target) !== null) event.preventDefault();
  };
  return { onClick, onContextMenu, onMouseDown, menu, closeMenu: () => setMenu(null) };
}
