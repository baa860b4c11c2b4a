import { sandbox } from 'pac-resolver';
import { dateRange } from './date-range.ts';
import { timeRange } from './time-range.ts';

/** The PAC functions that need only their arguments and the clock. */
export const PURE_FUNCTIONS = {
  dateRange: (...args: unknown[]): boolean => dateRange(args, new Date()),
  dnsDomainIs: sandbox.dnsDomainIs,
  dnsDomainLevels: sandbox.dnsDomainLevels,
  isPlainHostName: sandbox.isPlainHostName,
  localHostOrDomainIs: sandbox.localHostOrDomainIs,
  shExpMatch: sandbox.shExpMatch,
  timeRange: (...args: unknown[]): boolean => timeRange(args, new Date()),
  weekdayRange: sandbox.weekdayRange,
} as const;

function numberOf(address: string): number | null {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Whether an IPv4 address is in the network; false if any of the three is invalid. */
export function inNetwork(address: string, pattern: string, mask: string): boolean {
  const [a, p, m] = [numberOf(address), numberOf(pattern), numberOf(mask)];
  // JavaScript's bitwise operators return signed numbers; >>> 0 makes them unsigned.
  return a !== null && p !== null && m !== null && (a & m) >>> 0 === (p & m) >>> 0;
}
