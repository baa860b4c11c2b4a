import { firstHeader } from '../../../../shared/model/headers.ts';
import type { MapTo } from '../../../../shared/model/rule/actions.ts';
import { describe } from '../../../failures/errors.ts';
import { formatAuthority } from '../../http/h1-request.ts';
import type { RequestHead } from '../../http/message.ts';
import { withField } from '../fields.ts';
import { replaced } from '../replacements.ts';
import { requestTarget, TARGET_LIMIT } from '../request-target.ts';
import { type ChangedRequest, changedHead } from './change-request.ts';

const DEFAULT_PORT = { http: 80, https: 443 };

/**
 * The request for another scheme, host, port or path. A new scheme without a port means that scheme's default port. A
 * regular expression that takes too long leaves the path unchanged.
 */
export function mapRequest(head: RequestHead, to: MapTo): ChangedRequest {
  try {
    return { head: mapped(head, to), problem: null };
  } catch (error) {
    const kept = mapped(head, { ...to, replacePath: undefined });
    return { head: kept, problem: `the path is unchanged: ${describe(error)}` };
  }
}

function mapped(head: RequestHead, to: MapTo): RequestHead {
  const scheme = to.scheme ?? head.scheme;
  const host = to.host ?? head.host;
  const port = to.port ?? (scheme === head.scheme ? head.port : DEFAULT_PORT[scheme]);
  const path = to.replacePath ? requestTarget(replaced(head.path, to.replacePath, TARGET_LIMIT), head.path) : head.path;
  const elsewhere = { ...head, scheme, host, port, path, isMapped: true };
  if (to.keepHost) return changedHead(elsewhere, {});
  const authority = formatAuthority(scheme, host, port);
  if (head.version === 'HTTP/2.0' && firstHeader(head.headers, 'host') === undefined)
    return changedHead(elsewhere, { authority });
  return changedHead(elsewhere, { authority, headers: withField(head.headers, 'Host', authority) });
}
