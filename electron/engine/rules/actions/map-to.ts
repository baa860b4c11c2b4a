import type { MapTo } from '../../../../shared/model/rule/actions.ts';
import { formatAuthority } from '../../http/h1-request.ts';
import type { RequestHead } from '../../http/message.ts';
import { withField } from '../fields.ts';
import { replaced } from '../replacements.ts';
import { requestTarget } from '../request-target.ts';
import { changedHead } from './change-request.ts';

const DEFAULT_PORT = { http: 80, https: 443 };

/**
 * The request for another scheme, host, port or path. A new scheme without a port means that scheme's default port.
 * Throws for a regular expression that takes too long.
 */
export function mapRequest(head: RequestHead, to: MapTo): RequestHead {
  const scheme = to.scheme ?? head.scheme;
  const host = to.host ?? head.host;
  const port = to.port ?? (scheme === head.scheme ? head.port : DEFAULT_PORT[scheme]);
  const path = to.replacePath ? requestTarget(replaced(head.path, to.replacePath), head.path) : head.path;
  const mapped = { ...head, scheme, host, port, path, isMapped: true };
  if (to.keepHost) return changedHead(mapped, {});
  const authority = formatAuthority(scheme, host, port);
  if (head.version === 'HTTP/2.0') return changedHead(mapped, { authority });
  return changedHead(mapped, { authority, headers: withField(head.headers, 'Host', authority) });
}
