import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { PriceLoad } from '../../../schemas/attribution/loadedPrices.ts';
import { priceAdministration } from '../../../tools/prices/load/loadPrices.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';

/** Each load is of the month whose audit entries the tables return. */
const NOW = new Date('2026-05-04T12:00:00Z');

let tables: LiveTables;
let tenants: Tenant[];
let prices: Awaited<ReturnType<typeof priceAdministration>>;
const objects = new Map<string, string>();
/** Calls of AWS since the begin of a load, and the one before which the command is ended. */
let calls = 0;
let endsAt = Number.POSITIVE_INFINITY;

const answerOfBucket = (input: object) => {
  const { Key, Body } = Object(input);
  if (Body !== undefined) objects.set(Key, String(Body));
  const body = Readable.from([Buffer.from(Body === undefined ? (objects.get(Key) ?? '') : '')]);
  return { statusCode: 200, headers: {}, body };
};
const onRequest = (message: unknown): void => {
  const request = message as AwsRequest;
  if (calls >= endsAt) request.refusal = new Error('the command was ended');
  else if (request.service === 's3') Object.assign(request, { answer: () => answerOfBucket(request.input) });
  calls += 1;
};

beforeAll(async () => {
  tables = await startTables();
  const deployment = {
    environment: 'local' as const,
    baseUrl: '',
    output: (name: string) => name.replace(/^Table/, '').replace(/^./, (letter) => letter.toLowerCase()),
  };
  const { tenantAdministration } = await import('../../../tools/operator/tenants.ts');
  const administration = await tenantAdministration(deployment);
  const open = (tenantId: string) =>
    administration.open({ plan: 'enterprise', residency: [], tenantId, name: tenantId });
  tenants = [await open('acme'), await open('globex')];
  prices = await priceAdministration(deployment);
  subscribe('aws.request', onRequest);
});
afterAll(async () => {
  unsubscribe('aws.request', onRequest);
  await tables.stop();
});

let loads = 0;
const aLoad = (): PriceLoad => {
  loads += 1;
  const models = { [`model-${loads}`]: [{ from: '2026-05-04', input: '2' }] };
  return {
    lists: [{ provider: 'acme-host', source: 'the price page', checked: '2026-05-04', models }],
    ...{ tiers: [], places: [], aliases: [] },
  };
};
/** Runs the command until a call. Returns the number of its calls, and why it did not come to its end. */
const load = async (content: PriceLoad, until = Number.POSITIVE_INFINITY) => {
  [calls, endsAt] = [0, until];
  const failure = await prices
    .plan(content, NOW)
    .then((plan) => prices.load(plan, NOW))
    .then(
      () => null,
      (error) => String(error),
    );
  const made = calls;
  endsAt = Number.POSITIVE_INFINITY;
  return { calls: made, failure };
};

/** Takes 1 s. */
it('tells each tenant once of each load that came in force, wherever a command is ended, and whatever is loaded next', async () => {
  await load(aLoad());
  const whole = await load(aLoad());
  expect(whole.failure).toBeNull();

  for (let until = 0; until < whole.calls; until += 1) {
    for (const isRepeated of [true, false]) {
      const first = aLoad();
      expect((await load(first, until)).failure).toContain('the command was ended');
      expect((await load(isRepeated ? first : aLoad())).failure).toBeNull();
    }
  }

  const inForce = (await prices.show())?.loads.map(({ version }) => version);
  expect(new Set(inForce).size).toBe(inForce?.length);
  for (const tenant of tenants) {
    const told = (await tables.auditOf(tenant)).filter(({ action }) => action === 'prices.load');
    expect(told.map(({ resource }) => resource).toSorted()).toEqual(inForce?.toSorted());
  }
});
