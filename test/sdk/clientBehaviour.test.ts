import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseQueryString } from '../../functions/platform/http/queryString.ts';
import { useProxy } from '../../sdk/cli/src/proxy.ts';
import { type FaultServer, type Seen, startFaultServer } from '../support/faultServer.ts';
import { type Case, clients, type Outcome, outcomesOf } from './behaviour/clients.ts';
import { type Row, rows } from './behaviour/rows.ts';

type Name = keyof typeof clients;

const hasPython = spawnSync('python3', ['--version']).status === 0;
const tested: readonly Name[] = (Object.keys(clients) as Name[]).filter(
  (name) => name !== 'Python' || hasPython || process.env['CI'] === 'true',
);
const SECRET = 'the-secret-key';
const ANSWER = { status: 200, body: { id: 'rec_1', version: 2, data: [], page: { next_cursor: null } } };

let server: FaultServer;
let endProxy: () => void;
const outcomes = new Map<string, Outcome>();
/** Whether each row held, by client. */
const held = new Map<string, Set<Name>>();

const caseName = (client: Name, row: Row): string => `${client.toLowerCase()}-${rows.indexOf(row)}`;
const concerned = (client: Name): readonly Row[] =>
  rows.filter(({ except }) => except?.[client] === undefined);

/** All cases at once, because most of them wait. About 10 s, of which less than 3 s of CPU. */
beforeAll(async () => {
  server = await startFaultServer(ANSWER);
  endProxy = useProxy({ HTTPS_PROXY: server.origin }, (reason) => expect.fail(reason));
  await Promise.all(
    tested.map(async (client) => {
      const given = concerned(client).map((row): Case => {
        const name = caseName(client, row);
        const own = server.begin(name, row.steps);
        return {
          baseUrl: row.baseUrl?.replace('CASE', name) ?? own,
          secret: row.secret ?? SECRET,
          action: row.action ?? { do: 'read' },
          hasArrived: () => server.seenIn(name).length > 0,
          arrival: () => vi.waitFor(() => expect(server.seenIn(name).length).toBeGreaterThan(0), 180_000),
        };
      });
      const found = await outcomesOf(client, server.origin, given);
      for (const [index, row] of concerned(client).entries()) {
        const outcome = found[index];
        if (outcome !== undefined) outcomes.set(caseName(client, row), outcome);
      }
    }),
  );
});
afterAll(() => {
  endProxy?.();
  server?.close();
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        Object.fromEntries(
          tested.map((client) => [
            client,
            row.except?.[client] === undefined ? (held.get(row.name)?.has(client) ? 'yes' : 'NO') : '-',
          ]),
        ),
      ]),
    ),
  );
});

/** The names of a list as the service reads them. */
const namesIn = ({ target }: Seen): readonly string[] => {
  const sent = parseQueryString(target.split('?')[1] ?? '').values.get('owner[in]') ?? [];
  const [only = ''] = sent;
  return sent.length === 1 && only.startsWith('[')
    ? JSON.parse(only)
    : sent.length > 1
      ? sent
      : only.split(',');
};

const checkSent = ({ action }: Row, seen: readonly Seen[]): void => {
  const [first] = seen;
  if (first === undefined) return;
  if (action?.do === 'list') expect(namesIn(first)).toEqual(action.owners);
  if (action?.do === 'list without') expect(first.target).toBe('/v1/attribution');
  if (action?.do === 'read')
    expect(first.target).toBe(`/v1/attribution/${encodeURIComponent(action.id ?? 'rec_1')}`);
  if (action?.do !== 'change') return;
  expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(first.headers['idempotency-key']).toMatch(/^[\w-]{16,}$/);
};

describe.each(tested)('the %s client', (client) => {
  it.each(concerned(client))('$name', (row) => {
    const name = caseName(client, row);
    const [outcome, seen] = [outcomes.get(name), server.seenIn(name)];

    expect(outcome?.ends, outcome?.text).toBe(row.ends);
    expect(outcome?.text).toContain(row.says ?? '');
    for (const secret of [row.secret?.trim() || SECRET, 'user:secret'])
      expect(outcome?.text).not.toContain(secret);
    expect(seen).toHaveLength(row.requests);
    const [first, second] = seen;
    if (first !== undefined && second !== undefined)
      expect(second.at - first.at).toBeGreaterThanOrEqual((row.waits ?? 0) * 1_000);
    const secrets = seen.map(({ headers }) => headers['x-api-key']);
    const hasNoKey = first?.method === 'CONNECT' || row.action?.do === 'read as OAuth client';
    expect(secrets).toEqual(seen.map(() => (hasNoKey ? undefined : (row.secret ?? SECRET).trim())));
    checkSent(row, seen);
    held.set(row.name, (held.get(row.name) ?? new Set()).add(client));
  });
});
