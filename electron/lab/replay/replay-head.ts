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

/**
 * The head of a response, in the forms that node:http and node:http2 send fastest. A head is created once for all
 * requests of a load that get it: setting its fields one by one takes longer than sending them.
 */
export class ReplayHead {
  readonly status: number;
  readonly statusText: string;
  readonly #fields: Fields;
  #flat: string[] | null = null;
  #byName: OutgoingHttpHeaders | null = null;

  /** Fields that Node would refuse are left out. `size`: of the body, in bytes; null: there is none. */
  constructor(status: number, statusText: string, fields: Fields, size: number | null) {
    this.status = status;
    this.statusText = statusText;
    const length: Fields = size === null ? [] : [['content-length', String(size)]];
    this.#fields = [...fields.filter(isSendable), ...length];
  }

  /** For HTTP/1.1: names and values in turn. */
  get flat(): string[] {
    this.#flat ??= this.#fields.flat();
    return this.#flat;
  }

  /** For HTTP/2, with `:status`; repeated fields as lists. */
  get byName(): OutgoingHttpHeaders {
    this.#byName ??= this.#named();
    return this.#byName;
  }

  #named(): OutgoingHttpHeaders {
    const named: OutgoingHttpHeaders = { ':status': this.status };
    for (const [name, value] of this.#fields) {
      const lower = name.toLowerCase();
      const before = named[lower];
      named[lower] = before === undefined ? value : [before, value].flat().map(String);
    }
    return named;
  }
}
