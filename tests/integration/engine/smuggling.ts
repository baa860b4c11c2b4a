/**
 * What is ambiguous to two HTTP/1.1 parsers, as data. Sources: RFC 9112, sections 2.2, 3.2, 5, 6.1, 6.3, 7.1 and 11.2;
 * the published variants of CL.TE, TE.CL, TE.TE, CL.0 and chunk-line smuggling; llhttp's and http-garden's findings.
 */
export interface Gadget {
  name: string;
  /** `TARGET` stands for the request target, `AUTHORITY` for the origin's host and port. */
  head: string;
  body: string;
}

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const LINE = 'POST TARGET HTTP/1.1\r\n';
const HOST = 'Host: AUTHORITY\r\n';
const CODED = `${LINE}${HOST}Transfer-Encoding: chunked\r\n\r\n`;

const fields = (name: string, lines: string, body = `5\r\nabcde\r\n0\r\n\r\n${SMUGGLED}`): Gadget => ({
  name,
  head: `${LINE}${HOST}${lines}\r\n`,
  body,
});
const line = (name: string, requestLine: string): Gadget => ({
  name,
  head: `${requestLine}${HOST}\r\n`,
  body: SMUGGLED,
});
const host = (name: string, lines: string): Gadget => ({ name, head: `${LINE}${lines}\r\n`, body: SMUGGLED });
const chunks = (name: string, body: string): Gadget => ({ name, head: CODED, body: body + SMUGGLED });

/** Heads that are refused before any byte of them is forwarded. */
export const HEADS: readonly Gadget[] = [
  fields('CL.TE', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n'),
  fields('TE.CL', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n'),
  fields('TE and a length of nothing', 'Transfer-Encoding: chunked\r\nContent-Length: 0\r\n'),
  fields('two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n'),
  fields('the same length twice', 'Content-Length: 5\r\nContent-Length: 5\r\n'),
  fields('a list of lengths', 'Content-Length: 5, 5\r\n'),
  fields('a list of different lengths', 'Content-Length: 0,5\r\n'),
  fields('a plus', 'Content-Length: +5\r\n'),
  fields('a minus', 'Content-Length: -5\r\n'),
  fields('a minus nothing', 'Content-Length: -0\r\n'),
  fields('a hexadecimal length', 'Content-Length: 0x5\r\n'),
  fields('a decimal point', 'Content-Length: 5.0\r\n'),
  fields('an exponent', 'Content-Length: 1e1\r\n'),
  fields('an underscore in a length', 'Content-Length: 5_0\r\n'),
  fields('an empty length', 'Content-Length:\r\n'),
  fields('a space inside a length', 'Content-Length: 0 5\r\n'),
  fields('a vertical tab before a length', 'Content-Length: \x0b5\r\n'),
  fields('a no-break space behind a length', 'Content-Length: 5\xa0\r\n'),
  fields('a quoted length', 'Content-Length: "5"\r\n'),
  fields('a length over 2^64', 'Content-Length: 18446744073709551621\r\n'),
  fields('xchunked', 'Transfer-Encoding: xchunked\r\n'),
  fields('chunked and what is not it', 'Transfer-Encoding: chunked, identity\r\n'),
  fields('identity before chunked', 'Transfer-Encoding: identity, chunked\r\n'),
  fields('an unknown coding before chunked', 'Transfer-Encoding: cow, chunked\r\n'),
  fields('chunked twice in a list', 'Transfer-Encoding: chunked, chunked\r\n'),
  fields('chunked on two lines', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
  fields('identity on a second line', 'Transfer-Encoding: chunked\r\nTransfer-encoding: identity\r\n'),
  fields('nonsense on a first line', 'Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n'),
  fields('a vertical tab before chunked', 'Transfer-Encoding: \x0bchunked\r\n'),
  fields('a form feed behind chunked', 'Transfer-Encoding: chunked\x0c\r\n'),
  fields('a no-break space before chunked', 'Transfer-Encoding: \xa0chunked\r\n'),
  fields('a control byte before chunked', 'Transfer-Encoding: \x01chunked\r\n'),
  fields('a parameter of chunked', 'Transfer-Encoding: chunked;q=1\r\n'),
  fields('a parameter of chunked behind a coding', 'Transfer-Encoding: gzip, chunked;q=1\r\n'),
  fields('a quoted parameter with a comma', 'Transfer-Encoding: gzip;q="a,chunked", chunked\r\n'),
  fields('a parameter without a value', 'Transfer-Encoding: gzip;q, chunked\r\n'),
  fields('a parameter of an unknown coding', 'Transfer-Encoding: cow;q=1, chunked\r\n'),
  fields('chunked in quotes', 'Transfer-Encoding: "chunked"\r\n'),
  fields('chunked in a comment', 'Transfer-Encoding: (chunked)\r\n'),
  fields('an empty element before chunked', 'Transfer-Encoding: ,chunked\r\n'),
  fields('an empty element behind chunked', 'Transfer-Encoding: chunked,\r\n'),
  fields('codings without a comma', 'Transfer-Encoding: gzip chunked\r\n'),
  fields('a coding without chunked', 'Transfer-Encoding: gzip\r\n'),
  fields('an empty coding', 'Transfer-Encoding:\r\n'),
  fields('a NUL in chunked', 'Transfer-Encoding: chun\0ked\r\n'),
  fields('a space before the colon', 'Transfer-Encoding : chunked\r\n'),
  fields('a tab before the colon', 'Transfer-Encoding\t: chunked\r\n'),
  fields('a vertical tab before the colon', 'Content-Length\x0b: 5\r\n'),
  fields('a NUL before the colon', 'Content-Length\0: 5\r\n'),
  fields('a line break before the colon', 'Transfer-Encoding\r\n: chunked\r\n'),
  fields('a folded value', 'Transfer-Encoding:\r\n chunked\r\n'),
  fields('a field in a fold', 'X: a\r\n Transfer-Encoding: chunked\r\n'),
  fields('a field in a fold of a tab', 'X: a\r\n\tContent-Length: 5\r\n'),
  fields('a field behind a bare LF', 'X: a\nTransfer-Encoding: chunked\r\n'),
  fields('a field behind a bare CR', 'X: a\rTransfer-Encoding: chunked\r\n'),
  fields('a field behind two CRs', 'X: a\r\r\nTransfer-Encoding: chunked\r\n'),
  fields('a field behind LF CR', 'X: a\n\rTransfer-Encoding: chunked\r\n'),
  fields('a NUL in a value', 'X: a\0b\r\n'),
  fields('a field without a colon', 'Transfer-Encoding chunked\r\n'),
  fields('a field without a name', ': chunked\r\n'),
  fields('brackets in a name', 'X(a): b\r\n'),
  fields('a letter beyond ASCII in a name', 'Transfer-Encod\xedng: chunked\r\n'),
  fields('a head that ends in bare LFs', 'X: a\n\n'),
  fields('a head that ends in CRLF LF', 'X: a\r\n\n'),
  { name: 'a fold in the first field', head: `${LINE} X: a\r\n${HOST}\r\n`, body: SMUGGLED },
  {
    name: 'chunked on HTTP/1.0',
    head: `POST TARGET HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`,
    body: `0\r\n\r\n${SMUGGLED}`,
  },
  line('two spaces before the target', 'GET  TARGET HTTP/1.1\r\n'),
  line('two spaces behind the target', 'GET TARGET  HTTP/1.1\r\n'),
  line('tabs for spaces', 'GET\tTARGET\tHTTP/1.1\r\n'),
  line('a space behind the version', 'GET TARGET HTTP/1.1 \r\n'),
  line('a space in the target', 'GET TARGET/a b HTTP/1.1\r\n'),
  line('a NUL in the target', 'GET TARGET\0 HTTP/1.1\r\n'),
  line('a control byte in the target', 'GET TARGET\x01 HTTP/1.1\r\n'),
  line('a bare CR in the request line', 'GET TARGET HTTP/1.1\rX: a HTTP/1.1\r\n'),
  line('a bare LF behind the request line', 'GET TARGET HTTP/1.1\n'),
  line('no version', 'GET TARGET\r\n'),
  line('version 0.9', 'GET TARGET HTTP/0.9\r\n'),
  line('version 2.0', 'GET TARGET HTTP/2.0\r\n'),
  line('version 1.10', 'GET TARGET HTTP/1.10\r\n'),
  line('half a version', 'GET TARGET HTTP/1\r\n'),
  line('a version in lower case', 'GET TARGET http/1.1\r\n'),
  line('brackets in the method', 'G(ET TARGET HTTP/1.1\r\n'),
  line('a colon in the method', 'GET: TARGET HTTP/1.1\r\n'),
  host('the same host twice', `${HOST}${HOST}`),
  host('two hosts', `${HOST}Host: b.test\r\n`),
  host('two hosts in a list', 'Host: AUTHORITY, b.test\r\n'),
  host('two hosts apart by a space', 'Host: AUTHORITY b.test\r\n'),
  host('a host with a user', 'Host: b.test@AUTHORITY\r\n'),
  host('a host with a path', 'Host: AUTHORITY/b.test\r\n'),
  host('a host with a backslash', 'Host: b.test\\AUTHORITY\r\n'),
  host('a host with letters for a port', 'Host: AUTHORITY:b\r\n'),
  host('no host', ''),
];

/** Bodies with faulty framing after a correct head. */
export const BODIES: readonly Gadget[] = [
  chunks('a hexadecimal prefix', '0x5\r\nabcde\r\n0\r\n\r\n'),
  chunks('a plus before a chunk size', '+5\r\nabcde\r\n0\r\n\r\n'),
  chunks('a minus before a chunk size', '-5\r\nabcde\r\n0\r\n\r\n'),
  chunks('a space before a chunk size', ' 5\r\nabcde\r\n0\r\n\r\n'),
  chunks('a space behind a chunk size', '5 \r\nabcde\r\n0\r\n\r\n'),
  chunks('an underscore in a chunk size', '0_5\r\nabcde\r\n0\r\n\r\n'),
  chunks('a chunk size over 2^64', '10000000000000005\r\nabcde\r\n0\r\n\r\n'),
  chunks('a chunk size of 2^64 - 1', 'ffffffffffffffff\r\nabcde\r\n0\r\n\r\n'),
  chunks('a chunk size over 2^53', '20000000000005\r\nabcde\r\n0\r\n\r\n'),
  chunks('no chunk size', '\r\nabcde\r\n0\r\n\r\n'),
  chunks('an extension without a size', ';a\r\n0\r\n\r\n'),
  chunks('a size line that ends in a bare LF', '5\nabcde\r\n0\r\n\r\n'),
  chunks('a size line that ends in a bare CR', '5\rabcde\r0\r\r'),
  chunks('a bare LF in an extension', '5;a\nabcde\r\n0\r\n\r\n'),
  chunks('a bare CR in an extension', '5;a\rbcde\r\n0\r\n\r\n'),
  chunks('a NUL in an extension', '5;a\0\r\nabcde\r\n0\r\n\r\n'),
  chunks('a chunk that is longer than its size', '5\r\nabcdeXX0\r\n\r\n'),
  chunks('a chunk that ends in a bare LF', '5\r\nabcde\n0\r\n\r\n'),
  chunks('a chunk that ends in a bare CR', '5\r\nabcde\r0\r\n\r\n'),
  chunks('a chunk that ends in nothing', '5\r\nabcde0\r\n\r\n'),
  chunks('a last chunk that ends in a bare LF', '0\n\r\n'),
  chunks('a body that ends in a bare LF', '0\r\n\n'),
  chunks('a trailer without a colon', '0\r\nX\r\n\r\n'),
  chunks('a trailer with a space before its colon', '0\r\nX : a\r\n\r\n'),
  chunks('a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'),
  chunks('a trailer behind a bare CR', '0\r\nX: a\rY: b\r\n\r\n'),
  chunks('a length among the trailers', '0\r\nContent-Length: 5\r\n\r\n'),
  chunks('a coding among the trailers', '0\r\nTransfer-Encoding: chunked\r\n\r\n'),
  chunks('a host among the trailers', '0\r\nHost: b.test\r\n\r\n'),
  chunks('a login among the trailers', '0\r\nProxy-Authorization: Basic x\r\n\r\n'),
];

/** Requests that are ambiguous only to a proxy. */
export const TO_THE_PROXY: readonly Gadget[] = [
  { name: 'a user in the target', head: `GET http://b.test@AUTHORITY/ HTTP/1.1\r\n${HOST}\r\n`, body: SMUGGLED },
  { name: 'a backslash in the target', head: `GET http://AUTHORITY\\@b.test/ HTTP/1.1\r\n${HOST}\r\n`, body: SMUGGLED },
  { name: 'another scheme', head: `GET ftp://AUTHORITY/ HTTP/1.1\r\n${HOST}\r\n`, body: SMUGGLED },
  { name: 'no scheme', head: `GET //AUTHORITY/ HTTP/1.1\r\n${HOST}\r\n`, body: SMUGGLED },
  {
    name: 'CONNECT with a length',
    head: `CONNECT AUTHORITY HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\n`,
    body: SMUGGLED,
  },
  {
    name: 'CONNECT with a coding',
    head: `CONNECT AUTHORITY HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`,
    body: `0\r\n\r\n${SMUGGLED}`,
  },
  { name: 'CONNECT with a malformed field', head: `CONNECT AUTHORITY HTTP/1.1\r\nHost : a\r\n\r\n`, body: SMUGGLED },
  { name: 'CONNECT with two hosts', head: `CONNECT AUTHORITY HTTP/1.1\r\n${HOST}${HOST}\r\n`, body: SMUGGLED },
];

const SPLIT = 'HTTP/1.1 200 Smuggled\r\nContent-Length: 0\r\n\r\n';
const response = (name: string, lines: string, body = `5\r\nabcde\r\n0\r\n\r\n${SPLIT}`): Gadget => ({
  name,
  head: `HTTP/1.1 200 OK\r\n${lines}\r\n`,
  body,
});
const responseChunks = (name: string, body: string): Gadget => ({
  name,
  head: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  body: body + SPLIT,
});
const status = (name: string, statusLine: string): Gadget => ({
  name,
  head: `${statusLine}Content-Length: 0\r\n\r\n`,
  body: SPLIT,
});

/** Responses that two clients read in two ways. */
export const RESPONSES: readonly Gadget[] = [
  response('two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n'),
  response('a list of different lengths', 'Content-Length: 5, 6\r\n'),
  response('a list of lengths with zeros before', 'Content-Length: 5, 05\r\n'),
  response('a list of lengths with an empty one', 'Content-Length: 5,,5\r\n'),
  response('a length beside a coding that is not chunked', 'Transfer-Encoding: gzip\r\nContent-Length: 5\r\n'),
  response('a plus', 'Content-Length: +5\r\n'),
  response('a minus', 'Content-Length: -5\r\n'),
  response('a hexadecimal length', 'Content-Length: 0x5\r\n'),
  response('an empty length', 'Content-Length:\r\n'),
  response('a length over 2^64', 'Content-Length: 18446744073709551621\r\n'),
  response('chunked twice', 'Transfer-Encoding: chunked, chunked\r\n'),
  response('chunked and what is not it', 'Transfer-Encoding: chunked, identity\r\n'),
  response('identity before chunked', 'Transfer-Encoding: identity, chunked\r\n'),
  response('a vertical tab before chunked', 'Transfer-Encoding: \x0bchunked\r\n'),
  response('a parameter of chunked', 'Transfer-Encoding: chunked;q=1\r\n'),
  response('chunked in quotes', 'Transfer-Encoding: "chunked"\r\n'),
  response('a fold before the first field', ' X: a\r\nContent-Length: 5\r\n'),
  response('a fold in a name', 'Content-Length\r\n : 5\r\n'),
  response('a vertical tab before the colon', 'Content-Length\x0b: 5\r\n'),
  response('a line break before the colon', 'Content-Length\r\n: 5\r\n'),
  response('a field behind a bare CR', 'X: a\rContent-Length: 5\r\n'),
  response('a NUL in a value', 'X: a\0b\r\nContent-Length: 5\r\n'),
  response('a field without a colon', 'X\r\nContent-Length: 5\r\n'),
  response('a space in the name of a length', 'Content Length: 5\r\n'),
  status('chunked on HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n'),
  status('a length and chunked on HTTP/1.0 in bare LF', 'HTTP/1.0 200 OK\nTransfer-Encoding: chunked\n'),
  status('a status of two digits', 'HTTP/1.1 20 OK\r\n'),
  status('a status of four digits', 'HTTP/1.1 2000 OK\r\n'),
  status('a status below 100', 'HTTP/1.1 099 OK\r\n'),
  status('another protocol', 'ICY 200 OK\r\n'),
  status('a bare CR in the reason', 'HTTP/1.1 200 OK\rX: a\r\n'),
  status('a switch that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n'),
  responseChunks('a chunk size over 2^64', '10000000000000005\r\nabcde\r\n0\r\n\r\n'),
  responseChunks('a plus before a chunk size', '+5\r\nabcde\r\n0\r\n\r\n'),
  responseChunks('a size line that ends in a bare LF', '5\nabcde\r\n0\r\n\r\n'),
  responseChunks('a chunk that is longer than its size', '5\r\nabcdeXX0\r\n\r\n'),
  responseChunks('a chunk that ends in a bare LF', '5\r\nabcde\n0\r\n\r\n'),
  responseChunks('a trailer without a colon', '0\r\nX\r\n\r\n'),
];
