import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface ButtonProps {
  children: ReactNode;
  icon?: LucideIcon;
  tone?: 'plain' | 'primary' | 'quiet';
  disabled?: boolean;
  onClick: () => void;
}

export function Button({ children, icon: Icon, tone = 'plain', disabled = false, onClick }: ButtonProps) {
  return (
    <button type="button" className={`button ${tone}`} disabled={disabled} onClick={onClick}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
    </button>
  );
}

interface ToolProps {
  label: string;
  icon: LucideIcon;
  title: string;
  onClick: () => void;
  /** Given: a toggle, pressed or not. */
  pressed?: boolean;
  /** The label is for readers only. */
  iconOnly?: boolean;
  tone?: 'record' | 'ok' | 'warn' | 'none';
}

export function ToolButton({ label, icon: Icon, title, onClick, pressed, iconOnly = false, tone = 'none' }: ToolProps) {
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
      {!iconOnly && <span className="tool-label">{label}</span>}
      {(tone === 'ok' || tone === 'warn') && <span className="dot" />}
    </button>
  );
}
