import { expect, test } from 'vitest';
import { formParams } from '../../../../shared/format/form.ts';

test('urlencoded', () => {
  expect(formParams('application/x-www-form-urlencoded; charset=UTF-8', 'a=1&b=x+y%26z&=&c&a=%zz')).toEqual([
    { name: 'a', value: '1' },
    { name: 'b', value: 'x y&z' },
    { name: '', value: '' },
    { name: 'c', value: '' },
    { name: 'a', value: '%zz' },
  ]);
});

test('multipart: values of fields, and of files what describes them', () => {
  const body = [
    '--B',
    'Content-Disposition: form-data; name="title"',
    '',
    'two\r\nlines',
    '--B',
    'Content-Disposition: form-data; name="file"; filename="a b.txt"',
    'Content-Type: text/plain',
    '',
    'content of the file',
    '--B--',
    '',
  ].join('\r\n');
  expect(formParams('multipart/form-data; boundary=B', body)).toEqual([
    { name: 'title', value: 'two\r\nlines' },
    { name: 'file', fileName: 'a b.txt', contentType: 'text/plain' },
  ]);
  expect(formParams('multipart/form-data; charset=x; boundary="B"', body)).toHaveLength(2);
});

test('no form, or a broken one: no fields', () => {
  expect(formParams('application/json', 'a=1')).toEqual([]);
  expect(formParams('', 'a=1')).toEqual([]);
  expect(formParams('multipart/form-data; boundary=B', '--B\r\nnothing that ends')).toEqual([]);
  expect(formParams('multipart/form-data', '--B')).toEqual([]);
});
