import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import type { UnreadUsage } from '../../../functions/ingest/otlp/unreadUsage.ts';
import { logsInJson, logsInProtobuf, tracesInJson, tracesInProtobuf } from '../otlp/messages.ts';
import type { ProducerFixture } from './fixture.ts';
import { producerFixtures } from './fixtures.ts';
import { renderProducers, withProducers } from './producersPage.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const PAGE = 'docs/guides/producers.md';

const NOTHING: UnreadUsage = new Map();

const decode = ({ path, scope = '', resource = {}, kind = 3, attributes = {}, row }: ProducerFixture) => {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  if (path === 'call logs')
    return { events: decodeCallLogs(json(row), 'application/json', NOW).events, unread: NOTHING };
  if (path === 'log events') {
    const groups = [{ scope, resource, items: [{ attributes }] }];
    const decoded = decodeLogs(json(logsInJson(groups)), 'application/json', NOW);
    expect(decodeLogs(logsInProtobuf(groups), 'application/x-protobuf', NOW)).toEqual(decoded);
    return decoded;
  }
  const groups = [{ scope, resource, items: [{ kind, attributes }] }];
  const decoded = decodeTraces(json(tracesInJson(groups)), 'application/json', NOW);
  expect(decodeTraces(tracesInProtobuf(groups), 'application/x-protobuf', NOW)).toEqual(decoded);
  return decoded;
};

it.each(producerFixtures)('$producer, $path: makes one record of a call, with its tokens', (fixture) => {
  const { events, unread } = decode(fixture);

  expect(events).toMatchObject([fixture.expect]);
  expect(unread.size).toBe(0);
  // Nothing else makes its cost a range.
  for (const name of ['unread_usage', 'characters']) {
    expect([name, events[0]?.[name]]).toEqual([name, fixture.expect[name]]);
  }
  expect(checkEvent(events[0], NOW).errors).toBeNull();
});

it('docs/guides/producers.md lists what the fixtures show', () => {
  const rows = producerFixtures.map((fixture) => [fixture, decode(fixture).events[0] ?? {}] as const);
  const page = readFileSync(PAGE, 'utf8');
  const current = withProducers(page, renderProducers(rows));

  // `WRITE_PAGES=1 npx vitest run test/ingest/producers` writes the page.
  if (process.env['WRITE_PAGES'] === '1') writeFileSync(PAGE, current);
  else expect(page).toBe(current);
});
