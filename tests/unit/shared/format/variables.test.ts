import { expect, it } from 'vitest';
import { withVariables } from '../../../../shared/format/variables.ts';
import type { ComposedRequest } from '../../../../shared/model/replay/composed-request.ts';

const REQUEST: ComposedRequest = {
  ...{ method: 'POST', url: 'https://{{host}}/{{ path }}', headers: [['X-{{name}}', '{{token}}{{host}}']] },
  ...{ body: { kind: 'text', text: '{"a":{{n}},"b":"{{ no name }}"}' }, protocol: 'as-before', rules: true },
  ...{ route: 'configured', redirects: false, variables: true },
};

it('fills in variables, and names those without a value', () => {
  const { request, unknown } = withVariables(REQUEST, { host: 'a.test', path: '{{n}}', token: '$&', n: '1' });
  expect(request).toMatchObject({
    ...{ url: 'https://a.test/{{n}}', headers: [['X-{{name}}', '$&a.test']] },
    body: { kind: 'text', text: '{"a":1,"b":"{{ no name }}"}' },
  });
  expect(unknown).toEqual(['name']);
  expect(withVariables(REQUEST, {}).unknown).toEqual(['host', 'path', 'name', 'token', 'n']);
});

it('fills in variables in the fields and files of a form', () => {
  const parts = [
    { kind: 'text' as const, name: '{{a}}', text: '{{b}}', type: null },
    { kind: 'file' as const, name: 'f', path: '{{c}}/x', fileName: '{{c}}', type: null },
  ];
  const { request, unknown } = withVariables(
    { ...REQUEST, url: '', headers: [], body: { kind: 'form', parts } },
    { a: '1' },
  );
  expect(request.body).toMatchObject({
    parts: [
      { name: '1', text: '{{b}}' },
      { path: '{{c}}/x', fileName: '{{c}}' },
    ],
  });
  expect(unknown).toEqual(['b', 'c']);
  const file = withVariables({ ...REQUEST, body: { kind: 'file', path: '{{c}}' } }, { c: '/d' });
  expect(file.request.body).toEqual({ kind: 'file', path: '/d' });
});
