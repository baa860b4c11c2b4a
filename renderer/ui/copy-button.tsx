import { Check, Copy, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';

/**
 * Copies a text and shows a check mark for 1.5 s. `text` may be a function that makes it on demand; null copies
 * nothing.
 */
export function CopyButton(props: { text: string | (() => Promise<string | null>); label: string; icon?: LucideIcon }) {
  const { text, label } = props;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const copying = typeof text === 'string' ? text : await text();
    if (copying === null) return;
    await navigator.clipboard.writeText(copying);
    setCopied(true);
  };
  // The title changes, the label does not: the accessible name stays stable.
  const Icon = copied ? Check : (props.icon ?? Copy);
  return (
    <button
      type="button"
      className="copy"
      aria-label={label}
      title={copied ? 'Copied' : label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden="true" />
    </button>
  );
}

/** A line of code with a copy button. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="copy-line">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
