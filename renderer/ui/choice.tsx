interface ChoiceProps {
  /** The part of the accessible name that stands first. */
  label: string;
  /** Below the label; '' for none. */
  hint: string;
  checked: boolean;
  set: (checked: boolean) => void;
}

/** A checkbox with its hint. The hint is inside the label: a click on it checks, and screen readers read it out. */
export function Choice({ label, hint, checked, set }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="checkbox" checked={checked} onChange={(event) => set(event.target.checked)} />
      <span>
        {label}
        {hint !== '' && <small>{hint}</small>}
      </span>
    </label>
  );
}
