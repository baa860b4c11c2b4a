/** The place of each page of docs/ in the menu: the file's name without `.md`. A page's label is its title. */
export const NAVIGATION: readonly { readonly group: string; readonly pages: readonly string[] }[] = [
  { group: 'Start', pages: ['index', 'getting-started', 'connect', 'ca', 'filter', 'waterfall', 'troubleshooting'] },
  {
    group: 'Traffic',
    pages: [
      'rules',
      'rule-actions',
      'rule-changes',
      'rule-files',
      'breakpoints',
      'scripts',
      'throttle',
      'replay',
      'connections',
    ],
  },
  { group: 'Sessions', pages: ['sessions', 'import', 'export', 'findings', 'lab', 'session-file'] },
  { group: 'Networks', pages: ['corporate-proxy', 'upstream-proxy', 'proxy-logins', 'reverse-proxy', 'privacy'] },
  { group: 'Automation', pages: ['ci', 'agents', 'tracing', 'warehouse', 'fleet', 'api'] },
  { group: 'Reference', pages: ['command-line', 'failures', 'faults', 'limits', 'client-errors'] },
  {
    group: 'Behind it',
    pages: ['performance', 'performance-tables', 'benchmark', 'mechanisms', 'evidence', 'architecture', 'releasing'],
  },
];
