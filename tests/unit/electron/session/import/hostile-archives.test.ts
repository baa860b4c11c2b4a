import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { imported } from '../../../../support/imported.ts';
import { type ZipFile, zipArchive } from '../../../../support/stored-zip.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const METADATA = '<Session><SessionTimers ClientBeginRequest="2026-11-20T10:00:00Z" /></Session>';
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello';
/** 2026-11-20, MS-DOS' way. */
const DATE = ((2026 - 1980) << 9) | (11 << 5) | 20;

function session(ordinal: number, more: Partial<ZipFile> = {}): ZipFile[] {
  return [
    { name: `raw/${ordinal}_c.txt`, content: `GET http://a.test/${ordinal} HTTP/1.1\r\n\r\n`, ...more },
    { name: `raw/${ordinal}_m.xml`, content: METADATA, ...more },
    { name: `raw/${ordinal}_s.txt`, content: ANSWER, ...more },
  ];
}

async function archived(archive: Buffer) {
  const file = path.join(temporaryFolder(), 'a.saz');
  writeFileSync(file, archive);
  const { exchanges, ...rest } = await imported(file);
  return { exchanges, paths: exchanges.map(({ request }) => request.path), ...rest };
}

test.each(['../../etc/passwd', '/etc/passwd', 'raw/../../x_c.txt', 'C:\\x', 'raw\\1_c.txt'])(
  'a file named %s is passed over, and nothing is unpacked to it',
  async (name) => {
    const { paths, faults } = await archived(zipArchive([{ name, content: 'x' }, ...session(1)]));
    expect([paths, faults]).toEqual([['/1'], []]);
  },
);

test('a wrong checksum is named, and the bytes are kept', async () => {
  const [request, metadata, response] = session(1);
  const archive = zipArchive([request as ZipFile, metadata as ZipFile, { ...(response as ZipFile), crc: 1 }]);
  const { faults, text } = await archived(archive);
  expect(faults).toEqual(['session 1: Its response does not match its checksum, and may be damaged.']);
  expect(await text(1, 'response')).toBe('hello');
});

test('one damaged part is named, and the exchange is imported without it', async () => {
  const [request, metadata, response] = session(1, { deflated: true });
  const archive = zipArchive([request, metadata, response, ...session(2)] as ZipFile[]);
  // The first bytes of the response's deflated data: a block type that does not exist.
  const at = archive.indexOf('raw/1_s.txt') + 'raw/1_s.txt'.length;
  archive.fill(0xff, at, at + 4);
  const { exchanges, paths, faults } = await archived(archive);
  expect(paths).toEqual(['/1', '/2']);
  expect(exchanges[0]).toMatchObject({ state: 'failed', response: null });
  expect(exchanges[0]?.failure?.message).toContain("its response can't be unpacked");
  expect(faults).toEqual([expect.stringMatching(/^session 1: Its response can't be unpacked: /)]);
});

describe('sizes that lie', () => {
  test('a part that unpacks to more than it says is not unpacked further', async () => {
    const bomb = { name: 'raw/1_s.txt', content: Buffer.alloc(4_000_000), deflated: true, size: 10 };
    const { paths, faults } = await archived(zipArchive([...session(1).slice(0, 2), bomb, ...session(2)]));
    expect(paths).toEqual(['/1', '/2']);
    expect(faults).toEqual(['session 1: Its response does not have the size that the archive says.']);
  });

  test('a part that says it has 4 GB is named', async () => {
    const bomb = { name: 'raw/1_s.txt', content: 'x', deflated: true, size: 0xfffffff0 };
    const { faults } = await archived(zipArchive([...session(1).slice(0, 2), bomb]));
    expect(faults).toEqual(['session 1: Its response is over 256 MB, which is too large to import.']);
  });

  test('files that overlap end the reading of the directory', async () => {
    const files = session(1).map((file) => ({ ...file, packedSize: 100_000 }));
    const { paths, faults } = await archived(zipArchive(files));
    expect(paths).toEqual([]);
    expect(faults).toEqual(['session 1: Its request is cut short.', expect.stringContaining('its files overlap')]);
  });

  test('a place far behind the end of the archive', async () => {
    const [request, ...others] = session(1);
    const { paths, faults } = await archived(
      zipArchive([{ ...(request as ZipFile), offset: 0x7fffffff }, ...others, ...session(2)]),
    );
    expect(paths).toEqual(['/2']);
    expect(faults).toEqual([expect.stringMatching(/^session 1: Its request can't be unpacked: /)]);
  });

  test('a ZIP64 directory at a place that no file has', async () => {
    const locator = Buffer.alloc(20);
    locator.write('PK\x06\x07', 'latin1');
    locator.fill(0xff, 8, 16);
    const archive = zipArchive(session(1));
    const end = archive.lastIndexOf('PK\x05\x06');
    const hostile = Buffer.concat([archive.subarray(0, end), locator, archive.subarray(end)]);
    const { paths, faults } = await archived(hostile);
    expect(paths).toEqual(['/1']);
    expect(faults).toEqual([expect.stringContaining('it points beyond its end')]);
  });
});

describe('an archive that was cut short', () => {
  const whole = zipArchive([...session(1), ...session(2, { deflated: true, descriptor: true }), ...session(3)]);

  test.each([
    ['before its directory', whole.indexOf('PK\x01\x02'), ['/1', '/2', '/3'], 0],
    ['within its directory', whole.indexOf('PK\x01\x02') + 60, ['/1', '/2', '/3'], 0],
    ['within the last response', whole.indexOf('raw/3_s.txt') + 20, ['/1', '/2', '/3'], 1],
    ['within a name', whole.indexOf('raw/3_c.txt') + 5, ['/1', '/2'], 0],
    ['within a deflated response', whole.indexOf('raw/2_s.txt') + 20, ['/1', '/2'], 1],
  ])('%s', async (_where, length, expected, cut) => {
    const { exchanges, paths, faults } = await archived(whole.subarray(0, length));
    expect(paths).toEqual(expected);
    expect(faults.at(-1)).toMatch(/^The list of its files can't be read \(.+\): what its files themselves tell was/);
    expect(faults.slice(0, -1)).toHaveLength(cut);
    expect(exchanges.filter(({ response }) => response === null)).toHaveLength(cut);
  });
});

test('without metadata, an exchange has the date of its file', async () => {
  const [request, , response] = session(1, { date: DATE });
  const { exchanges, faults } = await archived(zipArchive([request as ZipFile, response as ZipFile]));
  expect(exchanges[0]?.startedAt).toBe(new Date(2026, 10, 20).getTime());
  expect(faults).toEqual(['session 1: Its metadata does not say when it began: its start is when it was saved.']);
});

test('messages that are not HTTP, a missing host, a password, and timers that are no dates', async () => {
  const odd = (ordinal: number, request: string, response = ANSWER, metadata = METADATA, flags = 0): ZipFile[] => [
    { name: `raw/${ordinal}_c.txt`, content: request, flags },
    { name: `raw/${ordinal}_m.xml`, content: metadata },
    { name: `raw/${ordinal}_s.txt`, content: response },
  ];
  const timers = METADATA.replace(' />', ' ServerGotRequest="soon" ServerBeginResponse="never" DNSTime="1e999" />');
  const { exchanges, paths, faults } = await archived(
    zipArchive([
      ...odd(1, 'nonsense'),
      ...odd(2, 'GET / HTTP/1.1\r\nUser-Agent: x\r\n\r\n'),
      ...odd(3, 'GET http://a.test/3 HTTP/1.1\r\n\r\n', 'nonsense'),
      ...odd(4, 'GET http://a.test/4 HTTP/1.1\r\n\r\n', ANSWER, timers),
      ...odd(5, 'GET http://a.test/5 HTTP/1.1\r\n\r\n', ANSWER, METADATA, 1),
      ...odd(6, 'GET http://a.test:99999/ HTTP/1.1\r\n\r\n'),
    ]),
  );
  expect(paths).toEqual(['/3', '/4']);
  expect(exchanges[0]).toMatchObject({ state: 'failed', response: null });
  expect(exchanges[1]?.timings).toMatchObject({ dns: -1, wait: -1 });
  expect(faults).toEqual([
    'session 1: Its request is not one of HTTP.',
    'session 2: Its URL "http:///" has no host.',
    'session 3: Its response is not one of HTTP, and was left out.',
    'session 5: Its request is protected by a password: save the archive without one in Fiddler.',
    'session 6: Its URL "http://a.test:99999/" has an invalid port.',
  ]);
});

test('a million tiny chunks become one body', async () => {
  const chunks = '1\r\nx\r\n'.repeat(1_000_000);
  const response = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\nX-End: yes\r\n\r\n`;
  const { exchanges } = await archived(
    zipArchive([...session(1).slice(0, 2), { name: 'raw/1_s.txt', content: response, deflated: true }]),
  );
  expect(exchanges[0]?.response).toMatchObject({ body: { size: 1_000_000 }, trailers: ['X-End', 'yes'] });
});

test('a head without an end is read as far as a head can reach', async () => {
  const response = `HTTP/1.1 200 OK\r\n${'\r\n'.replace('\n', 'x').repeat(2_000_000)}`;
  const { exchanges } = await archived(
    zipArchive([...session(1).slice(0, 2), { name: 'raw/1_s.txt', content: response, deflated: true }]),
  );
  expect(exchanges[0]?.response).toMatchObject({ status: 200, headers: [] });
});
