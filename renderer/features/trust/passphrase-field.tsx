interface PassphraseFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (passphrase: string) => void;
}

/** The passphrase of a file that holds a key. It is kept nowhere. */
export function PassphraseField({ label, placeholder, value, onChange }: PassphraseFieldProps) {
  return (
    <input
      type="password"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
