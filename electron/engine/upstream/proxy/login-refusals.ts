/**
 * How often a login may be refused by several proxies before it is said to no further one. A PAC file may spread hosts over many
 * that ask one directory, which counts each as a wrong password.
 */
const MOST = 2;

/** What proxies said of one login, whichever they are. */
export class LoginRefusals {
  readonly #by = new Set<string>();
  #taken = false;

  /** `address`: the proxy's. */
  add(address: string): void {
    this.#by.add(address);
  }

  /** One proxy took it: it is no wrong password, whatever others say. */
  taken(): void {
    this.#taken = true;
  }

  /** The last proxy that refused it, where it is not to be said to any other; or null. */
  get enough(): string | null {
    return !this.#taken && this.#by.size >= MOST ? ([...this.#by].at(-1) ?? null) : null;
  }

  forget(): void {
    this.#by.clear();
    this.#taken = false;
  }
}
