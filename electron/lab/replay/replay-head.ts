import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http2';

export type Fields = readonly (readonly [name: string, value: string])[];

function isSendable([name, value]: Fields[number]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function byLowerName(status: number, fields: Fields): OutgoingHttpHeaders {
  const named: OutgoingHttpHeaders = { ':status': status };
  for (const [name, value] of fields) {
    const lower = name.toLowerCase();
    const before = named[lower];
    named[lower] = before === undefined ? value : [before, value].flat().map(String);
  }
  return named;
}

/**
 * The head of a response, in the forms that node:http and node:http2 send fastest. Heads are created before a load:
 * checking fields and setting them one by one takes longer than sending them.
 */
export class ReplayHead {
  readonly status: number;
  readonly statusText: string;
  /** For HTTP/1.1: names and values in turn. */
  readonly flat: string[];
  /** For HTTP/2, with `:status`; repeated fields as lists. */
  readonly byName: OutgoingHttpHeaders;

  /** Fields that Node would refuse are left out. `size`: of the body, in bytes; null: there is none. */
  constructor(status: number, statusText: string, fields: Fields, size: number | null) {
    const length: Fields = size === null ? [] : [['content-length', String(size)]];
    const sent = [...fields.filter(isSendable), ...length];
    this.status = status;
    this.statusText = statusText;
    this.flat = sent.flat();
    this.byName = byLowerName(status, sent);
  }
}
