import { expect, it } from 'vitest';
import { naglesForProxies } from '../../../../../shared/model/proxy/nagle-for-proxies.ts';

it.each([
  ['python-requests/2.32.3', true],
  ['python-urllib3/2.2.1', true],
  ['pip/24.0 {"ci":null}', true],
  ['Boto3/1.34.0 md/Botocore#1.34.0 ua/2.0', true],
  ['aws-cli/1.32.0 Python/3.11.2 Linux/6.1 botocore/1.34.0', true],
  ['python-httpx/0.28.1', false],
  ['Python-urllib/3.11', false],
  ['curl/8.5.0', false],
  ['', false],
])('whether %s turns Nagle on for a proxy: %s', (userAgent, delays) => {
  expect(naglesForProxies(userAgent)).toBe(delays);
});
