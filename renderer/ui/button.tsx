import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface ButtonProps {
  children: ReactNode;
  icon?: LucideIcon;
  tone?: 'plain' | 'primary' | 'quiet';
  disabled?: boolean;
  title?: string;
  onClick: () => void;
}

export function Button({ children, icon: Icon, tone = 'plain', disabled = false, title, onClick }: ButtonProps) {
  return (
    <button type="button" className={`button ${tone}`} disabled={disabled} title={title} onClick={onClick}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
    </button>
  );
}

interface ToolProps {
  /** What it is called, in every state. */
  label: string;
  /** What it shows, if that is not its name. */
  text?: string;
  icon: LucideIcon;
  title: string;
  onClick: () => void;
  /** Given: a toggle, pressed or not. */
  pressed?: boolean;
  /** The label is for readers only. */
  iconOnly?: boolean;
  tone?: 'record' | 'paused' | 'ok' | 'warn' | 'none';
}

export function ToolButton(props: ToolProps) {
  const { label, text = label, icon: Icon, title, onClick, pressed, iconOnly = false, tone = 'none' } = props;
  return (
    <button
      type="button"
      className={`tool ${tone}`}
      title={title}
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
