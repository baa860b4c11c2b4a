import { type Token, tokenize } from '../../../shared/filter/tokens.ts';
import { REDACTED } from '../../../shared/format/redact/redaction.ts';
import { isSecretHeader } from '../../../shared/format/redact/secret-names.ts';

/** The query of a user's rule without the values of secret fields and of cookies, which it may ask for. */
export function shownQuery(query: string): string {
  let tokens: Token[];
  try {
    tokens = tokenize(query);
  } catch {
    // A query with a fault matches nothing, and its fault is reported.
    return REDACTED;
  }
  const parts: string[] = [];
  let from = 0;
  for (const token of tokens) {
    const shown = withoutSecret(token);
    if (shown === null) continue;
    parts.push(query.slice(from, token.position), shown);
    from = token.position + token.length;
  }
  return parts.join('') + query.slice(from);
}

/** Null: the term has no secret. */
function withoutSecret(token: Token): string | null {
  if (token.kind !== 'term') return null;
  const { field, value } = token;
  const [, name = '', sign = '', secret = ''] = /^([^:=]*)([:=] *)(.*)$/s.exec(value) ?? [];
  const isSecret = field === 'cookie' || (field === 'header' && isSecretHeader(name.trim().toLowerCase()));
  return isSecret && secret !== '' ? `${field}:"${name}${sign}${REDACTED}"` : null;
}
