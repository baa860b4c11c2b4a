import { Fragment } from 'react';
import { INSPECTOR_TABS } from '../../state/window-state.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useApp } from '../app-context.ts';

const KEYS: readonly [title: string, keys: readonly [keys: string[], does: string][]][] = [
  [
    'List',
    [
      [['↑', '↓'], 'Choose an exchange'],
      [['PgUp', 'PgDn', 'Home', 'End'], 'Go further'],
      [['Enter'], 'Open the inspector'],
      [['Escape'], 'Close it'],
      [['Shift', 'F10'], 'Menu of the exchange: copy, filter, compare'],
      [['Shift', '← →'], "Change a column's width, on its head"],
    ],
  ],
  [
    'Inspector',
    [
      [['1', 'to', String(INSPECTOR_TABS.length)], INSPECTOR_TABS.join(', ')],
      [['← →'], 'Next tab; width, on its edge'],
      [['Ctrl', 'F'], 'Find in the body; Enter and Shift+Enter step'],
    ],
  ],
  ['Timeline', [[['← →'], 'Move an edge of the time window; with Shift ten times as far']]],
  [
    'Window',
    [
      [['/'], 'Filter (also Ctrl+F in the list)'],
      [['Ctrl', 'K'], 'Clear the list'],
      [['?'], 'This help'],
    ],
  ],
];

export function ShortcutsDialog() {
  const { store } = useApp();
  return (
    <Dialog title="Keyboard" onClose={() => store.setState({ panel: null })}>
      {KEYS.map(([title, keys]) => (
        <section key={title} className="shortcuts">
          <h3>{title}</h3>
          <dl>
            {keys.map(([names, does]) => (
              <Fragment key={does}>
                <dt>
                  {names.map((name) => (name === 'to' ? <span key={name}>to</span> : <kbd key={name}>{name}</kbd>))}
                </dt>
                <dd>{does}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
