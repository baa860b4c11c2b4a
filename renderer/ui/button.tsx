import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface ButtonProps {
  children: ReactNode;
  icon?: LucideIcon;
  /** `primary` is the dialog's main action; `quiet` has no border. */
  tone?: 'plain' | 'primary' | 'quiet';
  disabled?: boolean;
  title?: string;
  onClick: () => void;
}

/** A text button. `type="button"`, because a button in a form submits it by default. */
export function Button({ children, icon: Icon, tone = 'plain', disabled = false, title, onClick }: ButtonProps) {
  return (
    <button type="button" className={`button ${tone}`} disabled={disabled} title={title} onClick={onClick}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
    </button>
  );
}

interface IconButtonProps {
  icon: LucideIcon;
  /** The accessible name. In a list it names the row too: a screen reader reads the button without its row. */
  label: string;
  title?: string;
  /** CSS pixels. */
  size?: number;
  onClick: () => void;
}

/** A button without text or border. */
export function IconButton({ icon: Icon, label, title, size = 14, onClick }: IconButtonProps) {
  return (
    <button type="button" className="copy" aria-label={label} title={title} onClick={onClick}>
      <Icon size={size} aria-hidden="true" />
    </button>
  );
}

interface ToolProps {
  /** The accessible name, the same in every state. */
  label: string;
  /** The visible text if it differs from `label`. */
  text?: string;
  icon: LucideIcon;
  title: string;
  onClick: () => void;
  /** Set for toggles only. */
  pressed?: boolean;
  /** Shows no text; the label remains for screen readers. */
  iconOnly?: boolean;
  disabled?: boolean;
  tone?: 'record' | 'paused' | 'ok' | 'warn' | 'none';
}

/** A toolbar button with icon and text; `ok` and `warn` add a dot. */
export function ToolButton(props: ToolProps) {
  const {
    label,
    text = label,
    icon: Icon,
    title,
    onClick,
    pressed,
    iconOnly = false,
    disabled = false,
    tone = 'none',
  } = props;
  return (
    <button
      type="button"
      className={`tool ${tone}`}
      title={title}
      disabled={disabled}
      onClick={onClick}
      aria-label={label}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    >
      <Icon size={15} aria-hidden="true" />
      {!iconOnly && <span className="tool-label">{text}</span>}
      {(tone === 'ok' || tone === 'warn') && <span className="dot" />}
    </button>
  );
}
