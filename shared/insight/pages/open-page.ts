import { isFromBrowser } from '../fact.ts';
import { siteOf } from '../site.ts';
import type { PageRequest } from './page-request.ts';

/** A page that later exchanges can belong to. */
export interface OpenPage {
  number: number;
  agent: string;
  origin: string;
  /** Of the origin. */
  site: string;
  document: number;
  /** Addresses without fragment -> the exchange with that address. */
  urls: Map<string, number>;
  /** Where its last redirect leads, or null. */
  leadsTo: string | null;
  /** Origins of its document and its frames -> the exchange that brought the first of them. */
  frames: Map<string, number>;
  /** Of those. */
  sites: Set<string>;
  /** Client connections that carried it. */
  connections: Set<number>;
  /** Requests named it in their Referer: one without a Referer more likely belongs to another page. */
  isNamed: boolean;
  /** When its first and its last request began. */
  beganAt: number;
  lastAt: number;
}

/** What follows from a page's document. */
export function ofDocument(
  origin: string,
  document: number,
): Pick<OpenPage, 'origin' | 'site' | 'document' | 'frames' | 'sites'> {
  const site = siteOf(origin);
  return { origin, site, document, frames: new Map([[origin, document]]), sites: new Set([site]) };
}

/** Milliseconds without a request: a request to another host is then no part of the load. */
const QUIET = 1000;

/**
 * The latest of the pages, which fit alike; of tabs that load at once, the latest that has not requested this address:
 * each tab requests it. `pages`: the latest first.
 */
export function tabOf(pages: readonly OpenPage[], { origin, path, start }: PageRequest): OpenPage | undefined {
  const [latest] = pages;
  const isAtOnce: Fits = ({ lastAt }) => (latest?.beganAt ?? 0) - lastAt <= QUIET && start - lastAt <= QUIET;
  return pages.find((page) => !page.urls.has(origin + path) && (page === latest || isAtOnce(page))) ?? latest;
}

type Fits = (page: OpenPage) => boolean;

/**
 * The likeliest of those that fit, which are in the order of preference otherwise. A connection identifies the site,
 * because browsers share none between sites; the latest page of a site continues with the earlier pages' connections.
 */
function likeliest(pages: readonly OpenPage[], client: number, fits: Fits): OpenPage | undefined {
  const site = pages.find((page) => page.connections.has(client) && fits(page))?.site;
  const isOne: Fits = (page) => (site === undefined || page.site === site) && fits(page);
  return pages.find((page) => !page.isNamed && isOne(page)) ?? pages.find(isOne);
}

/**
 * The page of a request whose Referer names none: `no-referrer` leaves it out, and a style or frame from the cache has
 * an address that was never requested. `pages`: of its client, the latest first.
 */
export function pageWithoutReferer(pages: readonly OpenPage[], request: PageRequest): OpenPage | undefined {
  const { client, request: fields } = request;
  const { origin: source, 'sec-fetch-site': site, referer } = fields;
  const named = source && likeliest(pages, client, ({ frames }) => frames.has(source));
  if (named) return named;
  // The address bar, bookmarks and the browser itself.
  if (site === 'none') return undefined;
  if (referer !== undefined)
    return site === undefined ? undefined : pages.find(({ connections }) => connections.has(client));
  if (site === undefined) return pageOfPlainRequest(pages, request);
  return likeliest(pages, client, relation(site, request.origin));
}

/** Pages that have a document from which a request to `target` is `site`: Fetch Metadata, section 2.4. */
function relation(site: string, target: string): Fits {
  if (site === 'same-origin') return ({ frames }) => frames.has(target);
  const own = siteOf(target);
  if (site === 'same-site') return ({ frames, sites }) => sites.has(own) && !frames.has(target);
  return ({ sites }) => sites.size > 1 || !sites.has(own);
}

/**
 * Browsers send no Sec-Fetch-* over plain HTTP. A page's POST has an Origin (Fetch, section 3.2.1): without one, the
 * browser itself looks for updates.
 */
function pageOfPlainRequest(pages: readonly OpenPage[], request: PageRequest): OpenPage | undefined {
  const { origin, start, client, method } = request;
  const isOwn = method !== 'GET' && method !== 'HEAD' && request.request.origin === undefined;
  if (isOwn || !isFromBrowser(request)) return undefined;
  const isRecent: Fits = ({ connections, lastAt }) => connections.has(client) || start - lastAt <= QUIET;
  return likeliest(pages, client, ({ frames }) => frames.has(origin)) ?? likeliest(pages, client, isRecent);
}
