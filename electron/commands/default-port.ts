/** Chosen because no well-known development server takes it (8080, 8000, 3000, 9090 are often busy). */
export const DEFAULT_PORT = 8866;
