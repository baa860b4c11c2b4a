/**
 * After this many proxies refused a login, it is not sent to any other. A PAC file may spread hosts over many proxies
 * that use the same directory, which counts each refusal as a wrong password.
 */
const MOST = 2;

/** The refusals of one login by all proxies. */
export class LoginRefusals {
  readonly #by = new Set<string>();
  #taken = false;

  /** `address`: the proxy's. */
  add(address: string): void {
    this.#by.add(address);
  }

  /** One proxy accepted the login: the password is right, even if others refuse it. */
  taken(): void {
    this.#taken = true;
  }

  /** The last proxy that refused the login if it must not be sent to another; otherwise null. */
  get enough(): string | null {
    return !this.#taken && this.#by.size >= MOST ? ([...this.#by].at(-1) ?? null) : null;
  }

  forget(): void {
    this.#by.clear();
    this.#taken = false;
  }
}
