/** What grouping uses of an exchange. */
export interface PageRequest {
  id: number;
  /** Milliseconds since the Unix epoch. */
  start: number;
  method: string;
  origin: string;
  path: string;
  status: number;
  mediaType: string;
  /** The client's connection. */
  client: number;
  request: {
    accept?: string;
    origin?: string;
    purpose?: string;
    referer?: string;
    'sec-fetch-dest'?: string;
    'sec-fetch-mode'?: string;
    'sec-fetch-site'?: string;
    'sec-purpose'?: string;
    'service-worker'?: string;
    'user-agent'?: string;
  };
  response: { location?: string };
}
