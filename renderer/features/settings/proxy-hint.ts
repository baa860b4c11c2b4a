import type { ProxyHints } from '../../../shared/model/proxy/proxy-hints.ts';
import type { ProxyDraft } from './proxy-draft.ts';

/** A sentence for the Proxy tab, with an optional button. */
export interface ProxyHint {
  text: string;
  /** The source that the hint's button selects; null: no button. */
  use: 'system' | 'wpad' | null;
}

/** `wpadPlace` was looked up, not fetched: this reveals only that the name was queried. */
function wpadHint({ detectBy, wpadPlace }: ProxyHints): ProxyHint | null {
  if (wpadPlace === null) return null;
  const because =
    detectBy === null
      ? 'This network announces'
      : `${capital(detectBy)} enable proxy detection, and this network announces`;
  return { text: `${because} a PAC file: ${wpadPlace}. It is used only if you select WPAD.`, use: 'wpad' };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The hint for the selected source, or null. WPAD is only ever suggested, never selected automatically: anyone in the
 * network can announce a PAC file.
 */
export function hintFor(source: ProxyDraft['source'], hints: ProxyHints): ProxyHint | null {
  const { system, detectBy } = hints;
  const found = system && `${capital(system.from)} name ${system.names}.`;
  if (source === 'none') return found === null ? wpadHint(hints) : { text: found, use: 'system' };
  // The other sources are explicit choices: nothing in the system or the network bears on them.
  if (source !== 'system') return null;
  if (found !== null) return { text: found, use: null };
  const wpad = wpadHint(hints);
  if (wpad) return wpad;
  return {
    text:
      detectBy === null
        ? 'No proxy is configured: requests go directly to the origin.'
        : `${capital(detectBy)} enable proxy detection, but this network announces no proxy: requests go directly ` +
          'to the origin.',
    use: null,
  };
}
