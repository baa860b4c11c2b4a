/** Points links between Markdown files to their HTML pages. Addresses with a scheme stay. */
export function withPageLinks(html: string): string {
  return html.replace(/href="(?![a-z]+:)([^"#]+)\.md(#[^"]*)?"/g, (_, page: string, hash: string | undefined) => {
    return `href="${page}.html${hash ?? ''}"`;
  });
}
