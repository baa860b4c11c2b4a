import type { ProxyHints } from '../../../shared/model/proxy/proxy-hints.ts';
import type { ProxyDraft } from './proxy-draft.ts';

export interface ProxyHint {
  text: string;
  /** What to choose for it, or null where there is nothing to choose. */
  use: 'system' | 'wpad' | null;
}

function wpadHint({ detectBy, wpadPlace }: ProxyHints): ProxyHint | null {
  if (wpadPlace === null) return null;
  const because =
    detectBy === null ? 'This network names' : `${capital(detectBy)} say to detect the proxy, and this network names`;
  return { text: `${because} a PAC file: ${wpadPlace}. It is used only if you choose WPAD.`, use: 'wpad' };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What this machine says that bears on the choice made in the form, or null. */
export function hintFor(source: ProxyDraft['source'], hints: ProxyHints): ProxyHint | null {
  const { system, detectBy } = hints;
  const found = system && `${capital(system.from)} name ${system.names}.`;
  if (source === 'none') return found === null ? wpadHint(hints) : { text: found, use: 'system' };
  if (source !== 'system') return null;
  if (found !== null) return { text: found, use: null };
  const wpad = wpadHint(hints);
  if (wpad) return wpad;
  return {
    text:
      detectBy === null
        ? 'They name no proxy now: everything goes straight to its origin.'
        : `${capital(detectBy)} say to detect the proxy, but nothing in this network seems to answer to that: everything goes straight to its origin.`,
    use: null,
  };
}
