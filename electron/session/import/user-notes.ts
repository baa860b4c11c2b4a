import { NO_MARK, type UserMark } from '../../../shared/model/edits/session-edits.ts';

/** Characters of a note (`UserMarkSchema`). */
const LONGEST = 10_000;
/** Fiddler numbers each entry of a HAR in its comment. */
const NO_NOTE = /^(?:\[#\d+\])?$/;

/** The user's note, and perhaps a colour; null: neither. */
export function noted(text: string, colour: UserMark['colour'] = null): UserMark | null {
  const note = NO_NOTE.test(text.trim()) ? '' : text.trim().slice(0, LONGEST);
  return note === '' && colour === null ? null : { ...NO_MARK, note, colour };
}
