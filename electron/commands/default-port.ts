/** Chosen because no well-known development server uses it (8080, 8000, 3000 and 9090 are often in use). */
export const DEFAULT_PORT = 8866;
