/** Where an exchange belongs. */
export interface Grouped {
  /** Numbers from 1; null: to no page. */
  page: number | null;
  /** The exchange that asked for it, as far as its headers tell: its Referer's, or the page's document; null: none. */
  initiator: number | null;
  /** It brought the page's document, or a redirect to it. */
  navigates: boolean;
}
