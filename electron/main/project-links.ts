import manifest from '../../package.json' with { type: 'json' };

/** Where the project lives. package.json alone names it: a fork changes one file. */
export const DOCUMENTATION = `${manifest.homepage}/tree/main/docs`;

/** A new report in the issue tracker. */
export const NEW_ISSUE = `${manifest.bugs.url}/new`;
