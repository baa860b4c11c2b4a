/** What a snippet repeats. `headers`: each name once. */
export interface SnippetRequest {
  method: string;
  /** Without quotation marks, backslashes and backticks. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}
