interface PassphraseFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (passphrase: string) => void;
}

/** The passphrase of a file that contains a key. It is sent with one request and never stored. */
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
