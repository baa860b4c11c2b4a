import { describe, expect, it } from 'vitest';
import type { RecordedResponse } from '../../../../../electron/lab/page/recorded-page.ts';
import { responseFields } from '../../../../../electron/lab/replay/response-head.ts';
import { VARIANTS } from '../../../../../electron/lab/variants.ts';

const RESPONSE: RecordedResponse = {
  ...{ id: 7, method: 'GET', scheme: 'https', host: 'shop.test', port: 443, path: '/', status: 200, statusText: '' },
  ...{ headers: [], size: 0, serverTime: 0, revalidationTime: 0 },
};

function namesOf(headers: readonly string[]): string[] {
  const context = { plan: VARIANTS.http1, origin: undefined, isDocument: false, hasCleartext: false };
  return responseFields({ ...RESPONSE, headers }, context).map(([name]) => name);
}

describe('the fields of a replayed response', () => {
  it('leave out the pseudo-field of a response recorded over HTTP/2', () => {
    expect(namesOf([':status', '200', 'content-type', 'text/css'])).toEqual(['content-type', 'timing-allow-origin']);
  });

  it('leave out framing and offers that lead elsewhere', () => {
    expect(namesOf(['Content-Length', '3', 'Alt-Svc', 'h3', 'Connection', 'close'])).toEqual(['timing-allow-origin']);
  });
});
