import { useRovingFocus } from './use-roving-focus.ts';

interface SegmentsProps<K extends string> {
  /** The accessible name of the group. */
  label: string;
  /** Labels by key, in display order. */
  options: Record<K, string>;
  value: K;
  onChange: (key: K) => void;
}

/** A segmented control for a few options: a radio group in which the arrow keys select. */
export function Segments<K extends string>({ label, options, value, onChange }: SegmentsProps<K>) {
  const keys = Object.keys(options) as K[];
  const roving = useRovingFocus(keys.length, keys.indexOf(value));
  return (
    <div className="switch" role="radiogroup" aria-label={label}>
      {keys.map((key, index) => (
        <button
          key={key}
          type="button"
          role="radio"
          aria-checked={key === value}
          {...roving.props(index)}
          onClick={() => onChange(key)}
          onKeyDown={(event) => {
            const chosen = keys[roving.onKeyDown(event) ?? -1];
            if (chosen) onChange(chosen);
          }}
        >
          {options[key]}
        </button>
      ))}
    </div>
  );
}
