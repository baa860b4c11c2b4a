import type { ComponentProps, ReactNode } from 'react';

interface FieldProps {
  label: string;
  value: string;
  set: (text: string) => void;
  /** Below the control: a hint or a problem. */
  children?: ReactNode;
}

type Input = Omit<ComponentProps<'input'>, keyof FieldProps | 'onChange'>;
type Area = Omit<ComponentProps<'textarea'>, keyof FieldProps | 'onChange'>;

/** One line of text with its label above it. */
export function TextField({ label, set, children, ...input }: FieldProps & Input) {
  return (
    <label className="field">
      {label}
      <input type="text" {...input} onChange={(event) => set(event.target.value)} />
      {children}
    </label>
  );
}

/** Several lines of text. The spelling checker is off unless asked for: most of them are not prose. */
export function TextArea({ label, set, children, ...area }: FieldProps & Area) {
  return (
    <label className="field">
      {label}
      <textarea spellCheck={false} {...area} onChange={(event) => set(event.target.value)} />
      {children}
    </label>
  );
}
