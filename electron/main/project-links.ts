import manifest from '../../package.json' with { type: 'json' };

/** The project's address. Only package.json names it: a fork changes one file. */
export const DOCUMENTATION = `${manifest.homepage}/tree/main/docs`;

/** A new report in the issue tracker. */
export const NEW_ISSUE = `${manifest.bugs.url}/new`;
