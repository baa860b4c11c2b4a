// Before node:sqlite is loaded.
import './quiet-sqlite.ts';

export { DatabaseSync } from 'node:sqlite';
