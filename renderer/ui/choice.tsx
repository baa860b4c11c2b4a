interface ChoiceProps {
  /** The first part of the accessible name. */
  label: string;
  /** Below the label; '' for none. */
  hint: string;
  checked: boolean;
  disabled?: boolean;
  set: (checked: boolean) => void;
}

/** A checkbox with its hint. The hint is inside the label: a click on it checks, and screen readers read it out. */
export function Choice({ label, hint, checked, disabled = false, set }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => set(event.target.checked)} />
      <span>
        {label}
        {hint !== '' && <small>{hint}</small>}
      </span>
    </label>
  );
}
