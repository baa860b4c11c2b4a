/** The client connection whose requests an upstream connection carries. */
export interface ConnectionUser {
  /** The client has closed its side and sends nothing more. */
  closed: boolean;
}
