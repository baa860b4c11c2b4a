import { Fragment } from 'react';
import { INSPECTOR_TABS } from '../../state/window-state.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useApp } from '../app-context.ts';

/** Must match what `app-commands.ts`, `use-list-keys.ts`, the find bar and the brush listen to. */
const KEYS: readonly [title: string, keys: readonly [keys: string[], does: string][]][] = [
  [
    'List',
    [
      [['↑', '↓'], 'Select exchange; with Shift a range'],
      [['Ctrl', 'A'], 'Select all shown; Ctrl+click adds or removes one'],
      [['PgUp', 'PgDn', 'Home', 'End'], 'Page up or down, first, last'],
      [['Enter'], 'Open inspector'],
      [['Escape'], 'Back to one row, then close inspector'],
      [['R'], 'Resend the selected request, once'],
      [['E'], 'Edit and resend it'],
      [['Delete'], 'Remove selected exchanges'],
      [['Shift', 'F10'], 'Context menu: copy, filter, compare'],
      [['Shift', '← →'], 'Resize column (on its header)'],
    ],
  ],
  [
    'Inspector',
    [
      [['1', 'to', String(INSPECTOR_TABS.length)], INSPECTOR_TABS.join(', ')],
      [['← →'], 'Previous or next tab; resize (on the edge)'],
      [['Ctrl', 'F'], 'Find in body; Enter and Shift+Enter for next and previous'],
    ],
  ],
  ['Timeline', [[['← →'], 'Move an edge of the time window; Shift moves ten steps']]],
  [
    'Window',
    [
      [['/'], 'Filter (also Ctrl+F in the list)'],
      [['N'], 'New request'],
      [['Ctrl', 'K'], 'Clear list'],
      [['Ctrl', 'O'], 'Sessions (in the desktop app: open a file)'],
      [['Ctrl', 'Z'], 'Restore what was removed last'],
      [['?'], 'Keyboard shortcuts'],
    ],
  ],
];

/** Lists the keyboard shortcuts. Opened with `?` or from the toolbar. */
export function ShortcutsDialog() {
  const { store } = useApp();
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => store.setState({ panel: null })}>
      {KEYS.map(([title, keys]) => (
        <section key={title} className="shortcuts">
          <h3>{title}</h3>
          <dl>
            {keys.map(([names, does]) => (
              <Fragment key={does}>
                <dt>
                  {/* 'to' joins a range of keys and is not a key itself. */}
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
