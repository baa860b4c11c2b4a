/** The client connection whose requests an upstream connection carries. */
export interface ConnectionUser {
  /** The client's side is closed: it sends nothing more. */
  closed: boolean;
}
