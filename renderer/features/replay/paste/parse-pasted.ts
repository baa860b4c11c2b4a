import { looksLikeCurl, parseCurl } from '../curl/parse-curl.ts';
import { looksLikeFetch, parseFetch } from './parse-fetch.ts';
import { looksLikePowershell, parsePowershell } from './parse-powershell.ts';
import type { ParsedRequest } from './parsed-request.ts';

/** Reads a request that was copied as a command or a call. Null: the text is neither. */
export function parsePasted(text: string): ParsedRequest | null {
  if (looksLikeCurl(text)) return parseCurl(text);
  if (looksLikeFetch(text)) return parseFetch(text);
  return looksLikePowershell(text) ? parsePowershell(text) : null;
}
