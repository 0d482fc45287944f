import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { type Answer, call, listAllRecords, someEvent } from '../support/client.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.now();
/** Maximum delay until a correction is visible in lists ordered by cost or confidence. */
const ORDER_DELAY_MS = 5_000;

let instance: Instance;
let key: string;
let all: AttributionRecord[];
/** The records that were corrected, and what a list in order of time showed right after that. */
let corrected: AttributionRecord[];
let shownAtOnce: AttributionRecord[];

const list = (query: string): Promise<Answer> => call(instance.baseUrl, `/v1/attribution?${query}`, { key });
const listAll = async (query: string): Promise<AttributionRecord[]> =>
  z.array(AttributionRecord).parse(await listAllRecords(instance.baseUrl, key, query));

/** Calls over two months with varying owners, prices, models and traces. Some have only a key name. */
const eventOf = (index: number): Record<string, unknown> => {
  const named: Record<string, unknown>[] = [
    { attributed_identity: 'team-search', attributed_service: 'ranking' },
    { attributed_identity: 'team-ads', attributed_service: 'bidding', attribution_confidence: 0.6 },
    { attributed_identity: 'team, with a comma', attributed_service: undefined },
    { attributed_identity: undefined, attributed_service: undefined, api_key_name: 'prod-ranking' },
    { attributed_identity: undefined, attributed_service: undefined },
  ];
  const models: Record<string, unknown>[] = [
    { provider: 'openai', requested_model: 'gpt-4o' },
    { provider: 'openai', requested_model: 'gpt-4o', served_model: 'gpt-4o-mini' },
    { provider: 'anthropic', requested_model: 'claude-sonnet-4-5', ingestion_layer: 'application' },
    { provider: 'unknown-provider', requested_model: 'unknown-model', ingestion_layer: 'batch' },
  ];
  return someEvent({
    occurred_at: new Date(NOW - Math.floor(index / 2) * 2 * DAY).toISOString(),
    input_tokens: 100 * (index + 1),
    ...(index % 7 === 0 && { trace_id: 'a-trace' }),
    ...(index % 11 === 0 && { trace_id: 'another' }),
    ...named[index % named.length],
    ...models[index % models.length],
  });
};

beforeAll(async () => {
  instance = await sharedInstance();
  key = instance.credentials.tenants[0]?.api_keys.admin ?? '';
  const events = Array.from({ length: 60 }, (_, index) => eventOf(index));
  await call(instance.baseUrl, '/api/v1/invocations/batch', { key, body: { events } });
  await instance.runtime.idle();
  const { data } = z.object({ data: z.array(AttributionRecord) }).parse((await list('limit=60')).body);
  corrected = data.filter((_, index) => index % 9 === 0);
  for (const { id } of corrected) {
    const body = { owner: 'team-platform', reason: 'they asked for it' };
    const answer = await call(instance.baseUrl, `/v1/attribution/${id}/overrides`, { key, body });
    expect(answer.status).toBe(201);
  }
  shownAtOnce = await listAll('owner=team-platform');
  await instance.runtime.idle();
  await sleep(ORDER_DELAY_MS + 500);
  all = await listAll('limit=50');
});
afterAll(() => instance.stop());

type Reference = (record: AttributionRecord) => boolean;
const cost = ({ cost_usd }: AttributionRecord): number => Number(cost_usd ?? Number.NaN);

/** Every filter field and operator, with its reference implementation. */
const filters: readonly (readonly [string, Reference])[] = [
  ['owner=team-search', ({ owner }) => owner === 'team-search'],
  ['owner[eq]=team, with a comma', ({ owner }) => owner === 'team, with a comma'],
  [
    'owner[in]=team-search,team-platform',
    ({ owner }) => owner === 'team-search' || owner === 'team-platform',
  ],
  ['owner[contains]=am-', ({ owner }) => owner?.includes('am-') === true],
  ['owner[exists]=false', ({ owner }) => owner === null],
  ['owner[exists]=true', ({ owner }) => owner !== null],
  ['service=ranking', ({ service }) => service === 'ranking'],
  ['service[eq]=bidding', ({ service }) => service === 'bidding'],
  ['service[in]=ranking,bidding', ({ service }) => service === 'ranking' || service === 'bidding'],
  ['service[contains]=ing', ({ service }) => service?.includes('ing') === true],
  ['service[exists]=false', ({ service }) => service === null],
  ['provider=anthropic', ({ provider }) => provider === 'anthropic'],
  ['provider[eq]=openai', ({ provider }) => provider === 'openai'],
  ['provider[in]=anthropic,unknown-provider', ({ provider }) => provider !== 'openai'],
  ['served_model=gpt-4o', ({ served_model }) => served_model === 'gpt-4o'],
  ['served_model[eq]=gpt-4o-mini', ({ served_model }) => served_model === 'gpt-4o-mini'],
  ['served_model[in]=gpt-4o-mini,unknown-model', ({ served_model }) => /mini|unknown/.test(served_model)],
  ['served_model[contains]=4o', ({ served_model }) => served_model.includes('4o')],
  ['pathway_category=gateway_mediated', ({ pathway_category }) => pathway_category === 'gateway_mediated'],
  ['pathway_category[eq]=batch_pipeline', ({ pathway_category }) => pathway_category === 'batch_pipeline'],
  [
    'pathway_category[in]=batch_pipeline,application_direct',
    ({ pathway_category }) => pathway_category !== 'gateway_mediated',
  ],
  ['output_state=manually_overridden', ({ output_state }) => output_state === 'manually_overridden'],
  ['output_state[eq]=unresolved', ({ output_state }) => output_state === 'unresolved'],
  [
    'output_state[in]=unresolved,manually_overridden',
    ({ output_state }) => output_state !== 'deterministically_resolved',
  ],
  ['confidence_band=chargeback_ready', ({ coper }) => coper >= 0.8],
  ['confidence_band[eq]=estimated', ({ coper }) => coper < 0.5],
  ['confidence_band[in]=provisional,estimated', ({ coper }) => coper < 0.8],
  ['stage_origin=stage_a', ({ interpretation }) => interpretation.stage_origin === 'stage_a'],
  ['stage_origin[eq]=stage_b', ({ interpretation }) => interpretation.stage_origin === 'stage_b'],
  ['stage_origin[in]=stage_a,stage_c', ({ interpretation }) => interpretation.stage_origin !== 'stage_b'],
  ['confidence=0.95', ({ coper }) => coper === 0.95],
  ['confidence[eq]=0.60', ({ coper }) => coper === 0.6],
  ['confidence[gt]=0.6', ({ coper }) => coper > 0.6],
  ['confidence[gte]=0.6', ({ coper }) => coper >= 0.6],
  ['confidence[lt]=0.6', ({ coper }) => coper < 0.6],
  ['confidence[lte]=0.6', ({ coper }) => coper <= 0.6],
  ['cost_usd[gt]=0.005', (record) => cost(record) > 0.005],
  ['cost_usd[gte]=0.00225', (record) => cost(record) >= 0.00225],
  ['cost_usd[lt]=0.005', (record) => cost(record) < 0.005],
  ['cost_usd[lte]=0.00225', (record) => cost(record) <= 0.00225],
  ['cost_usd[exists]=false', ({ cost_usd }) => cost_usd === null],
  ['owner[ne]=team-search', ({ owner }) => owner !== 'team-search'],
  ['service[ne]=ranking', ({ service }) => service !== 'ranking'],
  ['provider[ne]=openai', ({ provider }) => provider !== 'openai'],
  ['served_model[ne]=gpt-4o', ({ served_model }) => served_model !== 'gpt-4o'],
  [
    'pathway_category[ne]=gateway_mediated',
    ({ pathway_category }) => pathway_category !== 'gateway_mediated',
  ],
  ['output_state[ne]=unresolved', ({ output_state }) => output_state !== 'unresolved'],
  ['confidence_band[ne]=estimated', ({ coper }) => coper >= 0.5],
  ['stage_origin[ne]=stage_b', ({ interpretation }) => interpretation.stage_origin !== 'stage_b'],
  ['confidence[ne]=0.60', ({ coper }) => coper !== 0.6],
  ['cost_usd[ne]=0.002250', ({ cost_usd }) => Number(cost_usd) !== 0.00225 || cost_usd === null],
  ['trace_id[ne]=a-trace', ({ trace_id }) => trace_id !== 'a-trace'],
  ['trace_id=a-trace', ({ trace_id }) => trace_id === 'a-trace'],
  ['trace_id[eq]=another', ({ trace_id }) => trace_id === 'another'],
  ['trace_id[in]=a-trace,another,none', ({ trace_id }) => trace_id !== null],
  [
    'owner[exists]=true&provider=openai&confidence[gte]=0.5&cost_usd[gt]=0.004',
    (record) =>
      record.owner !== null && record.provider === 'openai' && record.coper >= 0.5 && cost(record) > 0.004,
  ],
];

const SORTS = ['-occurred_at', 'occurred_at', '-cost_usd', 'confidence'];
const encodeQuery = (query: string): string => new URLSearchParams(query).toString();
const idsOf = (records: readonly AttributionRecord[]): string[] => records.map(({ id }) => id);

describe('filters of GET /v1/attribution', () => {
  // The property of `selectRecords` holds that any filters give the same records in each order, in pages that join.
  it('each return exactly the matching records', async () => {
    await expectNoFaults(
      filters.entries(),
      ([, [query]]) => query,
      async ([index, [query, holds]]) => {
        const sort = SORTS[index % SORTS.length];
        const found = await listAll(`limit=200&sort=${sort}&${encodeQuery(query)}`);
        const expected = all.filter(holds);
        return unequal(`sorted by ${sort}`, found.toSorted(byId), expected.toSorted(byId));
      },
    );
  });

  it('each match some records and exclude some', () => {
    const counts = filters.map(([query, holds]) => [query, all.filter(holds).length] as const);

    const ineffective = counts
      .filter(([, count]) => count === 0 || count === all.length)
      .map(([query]) => query);
    // No model is trained here, so every record has stage A.
    expect(ineffective.filter((query) => !query.startsWith('stage_origin'))).toEqual([]);
  });

  it.each(['', '[eq]'])('cost_usd%s matches a cost with trailing zeros', async (operator) => {
    const priced = all.find(({ cost_usd }) => cost_usd !== null);
    const holds: Reference = ({ cost_usd }) => cost_usd === priced?.cost_usd;

    const found = await listAll(encodeQuery(`cost_usd${operator}=${priced?.cost_usd}0`));

    expect(idsOf(found)).toEqual(idsOf(all.filter(holds)));
  });

  it.each(['', '[eq]', '[in]'])('invocation_id%s returns the record of an invocation', async (operator) => {
    const [one, other] = [all[4], all[40]];
    const ids = operator === '[in]' ? `${one?.invocation_id},${other?.invocation_id}` : one?.invocation_id;

    const found = await listAll(encodeQuery(`invocation_id${operator}=${ids}`));

    expect(found).toEqual(operator === '[in]' ? [one, other] : [one]);
  });

  it('invocation_id[ne] and occurred_at[ne] leave out exactly one record', async () => {
    const [left] = all;

    for (const query of [
      `invocation_id[ne]=${left?.invocation_id}`,
      `occurred_at[ne]=${left?.occurred_at}`,
    ]) {
      const holds: Reference = ({ invocation_id, occurred_at }) =>
        query.startsWith('i') ? invocation_id !== left?.invocation_id : occurred_at !== left?.occurred_at;
      expect(idsOf(await listAll(`limit=7&${encodeQuery(query)}`))).toEqual(idsOf(all.filter(holds)));
    }
  });

  it.each([
    ['owner=team-serch', [{ parameter: 'owner', suggestion: 'team-search' }]],
    ['owner=team-search&service=bidding', undefined],
    [
      'service=ranking&owner[in]=team-adz,team-search,nobody&provider=openay',
      [
        { parameter: 'owner[in]', suggestion: 'team-ads' },
        { parameter: 'owner[in]' },
        { parameter: 'provider', suggestion: 'openai' },
      ],
    ],
    ['owner=team-serch&served_model=gpt-4o&limit=1', [{ parameter: 'owner', suggestion: 'team-search' }]],
    ['owner=team-search', undefined],
    ['owner=team-search&occurred_at[gt]=2020-01-01&occurred_at[lt]=2020-02-01', undefined],
  ])('that match nothing name what no record has: %s', async (query, expected) => {
    const { body } = await list(query);

    const shown = (body['warnings'] as Record<string, unknown>[] | undefined)?.map(
      ({ detail: _detail, ...named }) => named,
    );
    expect(shown).toEqual(expected);
  });

  it('invocation_id of another tenant returns an empty page', async () => {
    const foreign = instance.credentials.tenants[1]?.api_keys.admin ?? '';

    const answer = await call(instance.baseUrl, `/v1/attribution?invocation_id=${all[0]?.invocation_id}`, {
      key: foreign,
    });

    expect(answer).toMatchObject({ status: 200, body: { data: [], page: { has_more: false } } });
  });
});

const byId = (one: AttributionRecord, other: AttributionRecord): number => (one.id < other.id ? -1 : 1);

describe('sort of GET /v1/attribution', () => {
  const directions = [
    ['occurred_at', 1],
    ['cost_usd', 1],
    ['-cost_usd', -1],
    ['confidence', 1],
    ['-confidence', -1],
  ] as const;

  it.each(directions)('%s returns all records in order', async (sort, direction) => {
    const sorted = (record: AttributionRecord): number =>
      sort === 'occurred_at' ? -all.indexOf(record) : sort.endsWith('cost_usd') ? cost(record) : record.coper;
    const expected = all.toSorted((one, other) => {
      const [left, right] = [sorted(one), sorted(other)];
      if (Number.isNaN(left) || Number.isNaN(right)) {
        if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1;
        return byId(one, other) * direction;
      }
      return (left - right || byId(one, other)) * direction;
    });

    expect(idsOf(await listAll(`limit=9&sort=${sort}`))).toEqual(idsOf(expected));
  });
});

describe('GET /v1/attribution', () => {
  it.each([
    'owner=a&owner=b',
    'owner=a&%6Fwner=b',
    'sort=cost_usd&sort=cost_usd',
    'owner[gt]=a',
    'cost_usd=1e-3',
    'confidence[gte]=2',
    'output_state=finished',
    'invocation_id=att_1',
    'sort=owner',
    'region=us-east-1',
    `owner=${'a'.repeat(300)}`,
  ])('returns INVALID_FILTER for %.40s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error_code: 'INVALID_FILTER' } });
  });

  it.each([
    ['another filter', 'owner=team-ads'],
    ['another operator', 'owner[in]=team-search'],
    ['another sort', 'owner=team-search&sort=-cost_usd'],
    ['no filter', ''],
  ])('returns INVALID_CURSOR for a cursor with %s', async (_, query) => {
    const { body } = await list('owner=team-search&limit=2');
    const { next_cursor } = z.object({ page: z.object({ next_cursor: z.string() }) }).parse(body).page;

    const answer = await list(`${encodeQuery(query)}&limit=2&cursor=${encodeURIComponent(next_cursor)}`);

    expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_CURSOR' } });
  });

  it('shows a correction immediately in time order, and within five seconds in cost order', async () => {
    const later = await listAll('owner=team-platform&sort=-cost_usd');

    expect(idsOf(shownAtOnce)).toEqual(idsOf(corrected));
    const byId = Map.groupBy(shownAtOnce, ({ id }) => id);
    expect(later).toHaveLength(corrected.length);
    for (const record of later) expect([record]).toEqual(byId.get(record.id));
  });
});
