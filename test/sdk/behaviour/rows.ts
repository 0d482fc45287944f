import { deflateSync, gzipSync } from 'node:zlib';
import type { Reply, Step } from '../../support/faultServer.ts';

/** What a user does with a client. */
export type Action =
  /** Reads one record. */
  | { readonly do: 'read'; readonly id?: string }
  /** Lists records with a filter of several names. */
  | { readonly do: 'list'; readonly owners: readonly string[] }
  /** Lists records with a parameter that has no value. */
  | { readonly do: 'list without'; readonly owner: null }
  /** Confirms a cost, as an example of a change. */
  | { readonly do: 'change' }
  /** Reads one record, and stops to wait for it after a while. */
  | { readonly do: 'read and stop' }
  /** Reads one record with a token, which the client gets for its id and secret. */
  | { readonly do: 'read as OAuth client' }
  /** Reads one record, once, with a time-out. */
  | { readonly do: 'read in time' };

/** How a call ended. `not sent`: the client refused it. */
export type Ending = 'answer' | 'error' | 'no answer' | 'stopped' | 'not sent';

export interface Row {
  readonly name: string;
  readonly action?: Action;
  readonly steps?: readonly Step[];
  /** Instead of that of the fault server. */
  readonly baseUrl?: string;
  /** The API key. */
  readonly secret?: string;
  readonly ends: Ending;
  /** Requests that arrived. */
  readonly requests: number;
  /** Seconds between the first two requests, at least. */
  readonly waits?: number;
  /** Part of what the user is told. */
  readonly says?: string;
  /** Why the row does not concern a client. */
  readonly except?: Readonly<Partial<Record<'TypeScript' | 'Python' | 'CLI' | 'MCP', string>>>;
}

const code = (error_code: string): object => ({ error_code, title: 'A fault', detail: 'why', errors: [] });
const busy = (headers: Reply['headers'] = {}): Reply => ({
  status: 503,
  headers,
  body: code('SERVICE_UNAVAILABLE'),
});
const asking = (retryAfter: string): Reply => busy({ 'retry-after': retryAfter });
const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
/** `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`, which recipients must accept (RFC 9110, section 5.6.7). */
const oldDates = (date: Date): readonly [rfc850: string, asctime: string] => {
  const [day = '', number = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
  const long = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const padded = String(Number(number)).padStart(2);
  return [
    `${long}, ${number}-${month}-${year.slice(2)} ${time} GMT`,
    `${day.replace(',', '')} ${month} ${padded} ${time} ${year}`,
  ];
};
const HOUR = 3_600;
const READS_ONLY = 'only reads';
const OWN_TIMEOUT = 'has the time-out of the TypeScript client';
const RECORD = '{"id":"rec_1","owner":"日本"}';
const compressed = (coding: string, body: Uint8Array): Reply => ({
  status: 200,
  headers: { 'content-encoding': coding, 'content-type': 'application/json' },
  body,
});
/** Bytes that a client reads as an answer with this status line, headers and body. */
const raw = (status: string, body: string, length = Buffer.byteLength(body)) => ({
  raw: `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`,
});
const page: Reply = { status: 200, body: '<html>Sign in to the network</html>' };

/** A wait of a whole second can be 1 ms shorter on the other side. */
const retries: readonly Row[] = [
  {
    name: 'waits the seconds of Retry-After',
    steps: [asking('1')],
    ends: 'answer',
    requests: 2,
    waits: 0.99,
  },
  {
    name: 'waits until the date of Retry-After',
    steps: [() => asking(inSeconds(2).toUTCString())],
    ends: 'answer',
    requests: 2,
    waits: 0.9,
  },
  {
    name: 'waits until a date in the form of RFC 850',
    steps: [() => asking(oldDates(inSeconds(2))[0])],
    ends: 'answer',
    requests: 2,
    waits: 0.9,
  },
  {
    name: 'waits until a date in the form of asctime',
    steps: [() => asking(oldDates(inSeconds(2))[1])],
    ends: 'answer',
    requests: 2,
    waits: 0.9,
  },
  {
    name: 'compares a date with the clock of a service that is an hour ahead',
    steps: [
      () => busy({ date: inSeconds(HOUR).toUTCString(), 'retry-after': inSeconds(HOUR + 1).toUTCString() }),
    ],
    ends: 'answer',
    requests: 2,
    waits: 0.9,
  },
  {
    name: 'compares a date with the clock of a service that is an hour behind',
    steps: [
      () => busy({ date: inSeconds(-HOUR).toUTCString(), 'retry-after': inSeconds(1 - HOUR).toUTCString() }),
    ],
    ends: 'answer',
    requests: 2,
    waits: 0.9,
  },
  {
    name: 'ends at once when the service asks for an hour',
    steps: [asking('3600')],
    ends: 'error',
    requests: 1,
  },
  {
    name: 'ends at once when the service asks for more seconds than a number holds',
    steps: [asking('9'.repeat(400))],
    ends: 'error',
    requests: 1,
  },
  {
    name: 'repeats after two headers Retry-After, of which none counts',
    steps: [busy({ 'retry-after': ['3600', '1'] })],
    ends: 'answer',
    requests: 2,
  },
  {
    name: 'ends at once when a date is an hour ahead',
    steps: [() => asking(inSeconds(HOUR).toUTCString())],
    ends: 'error',
    requests: 1,
  },
  ...[
    'soon',
    '-5',
    '2, 2',
    '1e9',
    '0x10',
    '2099-01-01',
    'soon, 1 Jan 2099',
    '',
    'Wed, 21 Oct 2015 07:28:00 GMT',
  ].map(
    (text): Row => ({
      name: `repeats after the Retry-After "${text}"`,
      steps: [asking(text)],
      ends: 'answer',
      requests: 2,
    }),
  ),
  ...[408, 429, 502, 503, 504].map(
    (status): Row => ({
      name: `repeats after ${status}`,
      steps: [{ status, body: 'busy' }],
      ends: 'answer',
      requests: 2,
    }),
  ),
  ...[400, 404, 422, 425, 500, 501, 520, 599].map(
    (status): Row => ({
      name: `does not repeat after ${status} of something in between`,
      steps: [{ status, body: { message: 'Try elsewhere' } }],
      ends: 'error',
      requests: 1,
      says: 'Try elsewhere',
    }),
  ),
  {
    name: 'repeats after a failure of the service itself',
    steps: [{ status: 500, body: code('INTERNAL_ERROR') }],
    ends: 'answer',
    requests: 2,
  },
  {
    name: 'repeats while the first attempt is in progress',
    action: { do: 'change' },
    steps: [{ status: 409, body: code('IDEMPOTENCY_IN_PROGRESS') }],
    ends: 'answer',
    requests: 2,
    except: { MCP: READS_ONLY },
  },
  {
    name: 'repeats a change whose answer is lost, with the same Idempotency-Key',
    action: { do: 'change' },
    steps: ['reset', 'cut', busy()],
    ends: 'answer',
    requests: 4,
    except: { MCP: READS_ONLY },
  },
];

const answers: readonly Row[] = [
  {
    name: 'repeats the request for a token',
    action: { do: 'read as OAuth client' },
    steps: ['reset', busy(), { status: 200, body: { access_token: 'token', expires_in: 900 } }],
    ends: 'answer',
    requests: 4,
    except: { CLI: 'signs users in' },
  },
  { name: 'repeats after a reset', steps: ['reset'], ends: 'answer', requests: 2 },
  { name: 'repeats after an answer that is cut', steps: ['cut'], ends: 'answer', requests: 2 },
  {
    name: 'repeats after chunks that are cut, although they are JSON',
    steps: ['cut chunks'],
    ends: 'answer',
    requests: 2,
  },
  ...(
    [
      ['gzip', gzipSync(RECORD)],
      ['GZIP', gzipSync(RECORD)],
      ['x-gzip', gzipSync(RECORD)],
      ['deflate', deflateSync(RECORD)],
    ] as const
  ).map(
    ([coding, body]): Row => ({
      name: `reads an answer that a proxy compressed as ${coding}`,
      steps: [compressed(coding, body)],
      ends: 'answer',
      requests: 1,
      says: 'rec_1',
    }),
  ),
  {
    name: 'repeats after an answer that is not compressed as it says',
    steps: [compressed('gzip', Buffer.from(RECORD))],
    ends: 'answer',
    requests: 2,
  },
  {
    name: 'takes no half of a compressed document for an answer',
    steps: [compressed('gzip', gzipSync(RECORD).subarray(0, 24))],
    ends: 'error',
    requests: 1,
    says: '200',
  },
  {
    name: 'reads an answer that begins with a byte order mark',
    steps: [{ status: 200, body: `\uFEFF${RECORD}` }],
    ends: 'answer',
    requests: 1,
  },
  {
    name: 'takes no text in another encoding for an answer',
    steps: [{ status: 200, body: Buffer.from('{"id":"rec_1","owner":"J\u00FCrgen"}', 'latin1') }],
    ends: 'error',
    requests: 1,
    says: '200',
  },
  {
    name: 'takes no answer without a body for a record',
    steps: [{ status: 204 }],
    ends: 'error',
    requests: 1,
    says: '204',
  },
  {
    name: 'takes no body that is longer than its length for an answer',
    steps: [raw('200 OK', RECORD, 5)],
    ends: 'error',
    requests: 1,
    says: '200',
  },
  {
    name: 'repeats over another connection when the service closes the first',
    steps: [raw('503 Service Unavailable', '')],
    ends: 'answer',
    requests: 2,
  },
  {
    name: 'ends an attempt that gets no answer',
    action: { do: 'read in time' },
    steps: ['silence'],
    ends: 'no answer',
    requests: 1,
    except: { CLI: OWN_TIMEOUT, MCP: OWN_TIMEOUT },
  },
  {
    name: 'gives up after four resets',
    steps: ['reset', 'reset', 'reset', 'reset'],
    ends: 'no answer',
    requests: 4,
  },
  {
    name: 'ends an attempt whose answer arrives in drips',
    action: { do: 'read in time' },
    steps: ['drip'],
    ends: 'no answer',
    requests: 1,
    except: { CLI: OWN_TIMEOUT, MCP: OWN_TIMEOUT },
  },
  { name: 'takes no page of HTML for an answer', steps: [page], ends: 'error', requests: 1, says: '200' },
  ...[
    ['an empty text', ''],
    ['null', 'null'],
    ['a text', '"ok"'],
    ['a list', '[{"id":"rec_1"}]'],
    ['a text of Python', '{"cost_usd": NaN}'],
    ['half a document', '{"id":"rec_1"'],
    ['two documents', '{"id":"rec_1"}{"id":"rec_2"}'],
  ].map(
    ([what, body]): Row => ({
      name: `takes no ${what} for an answer`.replace('no an ', 'no ').replace('no a ', 'no '),
      steps: [{ status: 200, body }],
      ends: 'error',
      requests: 1,
      says: '200',
    }),
  ),
  ...[300, 301, 302, 303, 307, 308].map(
    (status): Row => ({
      name: `follows no redirect with ${status}, and takes its body for no answer`,
      steps: [{ status, headers: { location: '/elsewhere' }, body: { id: 'rec_1' } }],
      ends: 'error',
      requests: 1,
      says: 'redirect',
    }),
  ),
  {
    name: 'takes the answer that nothing has changed for none',
    steps: [{ status: 304 }],
    ends: 'error',
    requests: 1,
    says: '304',
  },
  {
    name: 'follows no redirect to another host, which would get the credential',
    steps: [{ status: 307, headers: { location: 'http://127.0.0.1:9/v1/attribution/rec_1' } }],
    ends: 'error',
    requests: 1,
    says: 'redirect',
  },
  {
    name: 'stops to wait when the caller stops',
    action: { do: 'read and stop' },
    steps: [asking('20')],
    ends: 'stopped',
    requests: 1,
  },
];

const names: readonly Row[] = [
  ['Smith, Ann'],
  ['Smith, Ann', 'bob'],
  ['["a"]'],
  ['[x', 'y]'],
  ['"quoted"', "it's"],
  ['a/b?c#d%2F&e=f+g h'],
  ['日本', '🙂', '\u2028'],
].map((owners) => ({
  name: `sends the names ${JSON.stringify(owners)} as they are`,
  action: { do: 'list', owners },
  ends: 'answer',
  requests: 1,
}));

const ids: readonly Row[] = [
  ...['a/b', 'a?b#c', '%2e', 'a b+c', '日本"'].map(
    (id): Row => ({
      name: `reads the record ${JSON.stringify(id)}`,
      action: { do: 'read', id },
      ends: 'answer',
      requests: 1,
    }),
  ),
  ...['', '.', '..'].map(
    (id): Row => ({
      name: `refuses the id "${id}", which would name another operation`,
      action: { do: 'read', id },
      ends: 'not sent',
      requests: 0,
    }),
  ),
  {
    name: 'leaves out a filter that is null',
    action: { do: 'list without', owner: null },
    ends: 'answer',
    requests: 1,
    except: { CLI: 'has no null' },
  },
];

const connections: readonly Row[] = [
  ...[
    'http://api.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1@example.com',
    'http://10.0.0.1:3000',
    'ftp://127.0.0.1',
    'https://user:secret@api.example.com',
    'https://api.example.com?x=1',
    'https://api.example.com#x',
    'api.example.com',
    '//api.example.com',
    '/\\api.example.com',
  ].map(
    (baseUrl): Row => ({
      name: `refuses the base URL ${baseUrl}`,
      baseUrl,
      ends: 'not sent',
      requests: 0,
      says: 'base URL',
    }),
  ),
  ...['', ' ', '\n', 'two words', 'line\nbreak', 'schlüssel'].map(
    (secret): Row => ({
      name: `refuses the API key ${JSON.stringify(secret)}`,
      secret,
      ends: 'not sent',
      requests: 0,
    }),
  ),
  {
    name: 'takes an API key with the line break of its file',
    secret: 'the-key\r\n',
    ends: 'answer',
    requests: 1,
  },
  {
    name: 'takes a base URL of this machine by its address of version 6',
    baseUrl: 'http://[::1]:9',
    ends: 'no answer',
    requests: 0,
  },
  {
    name: 'sends what leaves this machine through HTTPS_PROXY, and no credential to the proxy',
    baseUrl: 'https://CASE.example.com',
    steps: [],
    ends: 'no answer',
    requests: 4,
  },
];

/** How clients of the API behave, whatever the language. Requests to this machine do not pass the proxy that is set in all rows. */
export const rows: readonly Row[] = [...retries, ...answers, ...names, ...ids, ...connections];
