import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { imported } from '../../../../support/imported.ts';
import { storedZip } from '../../../../support/stored-zip.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { tnetstring } from '../../../../support/tnetstring.ts';

function written(name: string, content: string | Uint8Array): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

const mark = (id: number, note: string, colour: string | null = null) => ({
  id,
  mark: { pinned: false, note, colour },
});

test('comments of a HAR are notes, but not Fiddler’s numbers', async () => {
  const entries = ['slow – why?', '[#12]', '', undefined, 5, ' '].map((comment) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    request: { method: 'GET', url: 'https://a.test/', headers: [] },
    response: { status: 200, headers: [], content: {} },
    comment,
  }));
  const { userMarks, exchanges } = await imported(written('a.har', JSON.stringify({ log: { entries } })));
  expect(exchanges).toHaveLength(6);
  expect(userMarks).toEqual([mark(1, 'slow – why?')]);
});

test('comments and colours of Fiddler', async () => {
  const metadata = (flags: string) =>
    `<Session><SessionTimers ClientBeginRequest="2026-11-20T10:00:00.1000000+00:00" /><SessionFlags>${flags}` +
    '</SessionFlags></Session>';
  const archive = storedZip({
    'raw/1_c.txt': 'GET http://a.test/ HTTP/1.1\r\n\r\n',
    'raw/1_m.xml': metadata(
      '<SessionFlag N="ui-comments" V="a &lt;b&gt; &#233;&#x1FAD6; &amp;amp;" /><SessionFlag N="ui-color" V="Gold" />',
    ),
    'raw/2_c.txt': 'GET http://a.test/ HTTP/1.1\r\n\r\n',
    'raw/2_m.xml': metadata('<SessionFlag N="ui-color" V="#ff00ff" />'),
  });
  const { userMarks } = await imported(written('a.saz', archive));
  expect(userMarks).toEqual([mark(1, 'a <b> é🫖 &amp;', 'yellow')]);
});

test('comments and marks of mitmproxy', async () => {
  const flow = (more: object) =>
    tnetstring({
      ...{ type: 'http', version: 21 },
      request: { method: 'GET', scheme: 'https', host: 'a.test', path: '/', timestamp_start: 1_795_168_800 },
      ...more,
    });
  const flows = [
    flow({ comment: 'look 🫖', marked: ':purple_circle:' }),
    flow({ comment: '', marked: '' }),
    flow({ marked: true }),
    flow({ marked: ':grapes:' }),
  ];
  const { userMarks } = await imported(written('a.flow', Buffer.concat(flows)));
  expect(userMarks).toEqual([mark(1, 'look 🫖', 'purple'), mark(3, '', 'red'), mark(4, '', 'red')]);
});
