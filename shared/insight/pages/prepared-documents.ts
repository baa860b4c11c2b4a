import { isSpeculative, navigates } from '../navigation.ts';
import type { Grouped } from './grouped.ts';
import type { PageRequest } from './page-request.ts';

/** A document that a browser fetched or rendered in advance: it is a page once the user goes there. */
export interface PreparedDocument {
  url: string;
  agent: string;
  origin: string;
  exchange: number;
  /** Where the request for it belongs. */
  page: number | null;
}

/** Documents that are remembered. A browser prepares few at a time. */
const MOST = 50;

/** The documents that browsers have in store (Speculation Rules; `<link rel=prefetch>`). */
export class PreparedDocuments {
  #documents: PreparedDocument[] = [];

  /** Whether it asks for a document in advance. */
  static isOne({ mediaType, request }: PageRequest): boolean {
    return isSpeculative(request) && (navigates(request) === true || mediaType === 'text/html');
  }

  note({ id, origin, path, request }: PageRequest, { page }: Grouped): void {
    const document = { url: origin + path, agent: request['user-agent'] ?? '', origin, exchange: id, page };
    this.forget(document);
    this.#documents = [document, ...this.#documents].slice(0, MOST);
  }

  /** The document that asked for this, as its Referer tells. */
  initiatorOf({ request }: PageRequest): PreparedDocument | undefined {
    const { referer, 'user-agent': agent = '' } = request;
    return this.#documents.find((one) => one.url === referer && one.agent === agent);
  }

  /** The user went there, or the browser asked for it anew. */
  forget({ url, agent }: Pick<PreparedDocument, 'url' | 'agent'>): void {
    this.#documents = this.#documents.filter((one) => one.url !== url || one.agent !== agent);
  }
}
