import { type ReactNode, useId } from 'react';
import { useRovingFocus } from './use-roving-focus.ts';

interface Props<Name extends string> {
  /** The accessible name of the tab list. */
  label: string;
  names: readonly Name[];
  selected: Name;
  onSelect: (name: Name) => void;
  /** The content of the selected tab. */
  children: ReactNode;
}

/** The tabs of a dialog (WAI-ARIA's tabs pattern): one tab stop; the arrow keys select. */
export function DialogTabs<Name extends string>({ label, names, selected, onSelect, children }: Props<Name>) {
  const id = useId();
  const roving = useRovingFocus(names.length, names.indexOf(selected));
  return (
    <>
      <div className="tabs dialog-tabs" role="tablist" aria-label={label}>
        {names.map((name, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}${name}`}
            aria-selected={name === selected}
            aria-controls={`${id}panel`}
            {...roving.props(index)}
            // The selected tab is the tab stop, wherever the focus was last.
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
            onKeyDown={(event) => {
              const chosen = names[roving.onKeyDown(event) ?? -1];
              if (chosen) onSelect(chosen);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="dialog-panel" role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${selected}`}>
        {children}
      </div>
    </>
  );
}
