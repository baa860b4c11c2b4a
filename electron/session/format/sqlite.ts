// Before node:sqlite is loaded.
import './quiet-sqlite.ts';

export { backup, DatabaseSync } from 'node:sqlite';
