/** A user and password for a proxy. Never logged, never recorded. */
export interface ProxyLogin {
  /** `user`, `DOMAIN\user` or `user@domain`. */
  user: string;
  password: string;
}
