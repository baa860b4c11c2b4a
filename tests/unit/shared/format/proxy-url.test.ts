import { describe, expect, it } from 'vitest';
import { urlWithoutLogin, withoutLogin } from '../../../../shared/format/proxy-url.ts';

describe('what is shown of an address', () => {
  it.each([
    ['http://a.test:1', 'http://a.test:1'],
    ['http://ann:hunter2@a.test:1', 'http://a.test:1'],
    ['http://ann:hun@ter/2@a.test:99999', 'http://a.test:99999'],
    ['ann:hunter2@a.test:1', 'a.test:1'],
    ['ann:hun//ter2@a.test:1', 'a.test:1'],
    ['http:/ann:hunter2@a.test', 'a.test'],
  ])('%s has no login in it', (address, expected) => {
    expect(withoutLogin(address)).toBe(expected);
  });

  it.each([
    ['https://ann:hunter2@a.test/x@y.pac', 'https://a.test/x@y.pac'],
    ['https://a.test/x@y.pac', 'https://a.test/x@y.pac'],
    ['/home/ann@corp/proxy.pac', '/home/ann@corp/proxy.pac'],
  ])('%s of a PAC file neither', (place, expected) => {
    expect(urlWithoutLogin(place)).toBe(expected);
  });
});
