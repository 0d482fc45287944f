import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact } from '../../functions/impact/impact.ts';
import { PriceObject } from '../../schemas/attribution/loadedPrices.ts';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import { loadCommand } from '../../tools/prices/load/loadCommand.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const service = await sharedInstance();
afterAll(() => service.stop());

const DAY_MS = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const TODAY = dayOf(Date.now());

/** A model that no table knows, so that the prices of other tests stay as they are. */
const MODEL = 'acme-private-1';
const listOf = (prices: object) => ({
  lists: [{ provider: 'acme-host', source: 'price page of the host', checked: TODAY, models: prices }],
});

const file = (content: unknown): string => {
  const path = join(temporaryDirectory(), 'prices.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const run = (...args: string[]): Promise<string> => loadCommand([...args, '--data-dir', service.dataDir]);

const acme = () => demoTenants(service.credentials).acme;
const send = async (members: Record<string, unknown>): Promise<string> => {
  const event = someEvent({ provider: 'acme-host', cached_input_tokens: 0, ...members });
  await call(service.baseUrl, '/api/v1/invocations', { key: acme().api_keys.ingest, body: event });
  await service.runtime.idle();
  return String(event['event_id']);
};
const recordOf = async (eventId: string): Promise<AttributionDetail> => {
  const { baseUrl } = service;
  const key = acme().api_keys.read;
  const id = (await listAllRecords(baseUrl, key)).find((record) => record['event_id'] === eventId)?.['id'];
  return AttributionDetail.parse((await call(baseUrl, `/v1/attribution/${id}`, { key })).body);
};

it('loads prices into a running service, which change only what they date', async () => {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const early = await send({ requested_model: MODEL, ingestion_timestamp: yesterday });
  const late = await send({ requested_model: MODEL });
  const other = await send({ requested_model: 'acme-private-2' });
  const load = file(listOf({ [MODEL]: [{ from: TODAY, input: '2', output: '10' }] }));

  const planned = await run('load', load, '--dry-run');
  const unchanged = await run('show');
  const loaded = await run('load', load);
  const repeated = await run('load', load);

  // 1,000 and 200 tokens at 2 and 10 USD per million.
  const effect = `  acme-host ${MODEL}: 1 of 1 records, 0 -> 0.004 USD, 1 without a cost before`;
  expect(planned).toContain(effect);
  expect(planned).toMatch(/Nothing was changed\. The version would be loaded-/);
  expect(unchanged).not.toContain(MODEL);
  const version = /(?<version>loaded-\S+) is in force/.exec(loaded)?.groups?.['version'] ?? '';
  expect(loaded).toContain(`npm run reprocess -- ${acme().tenant_id} --from ${TODAY}`);
  expect(repeated).toContain('The file is what was loaded last.');
  expect(await run('show', version)).toContain(MODEL);

  await vi.waitFor(
    async () => {
      const { explanation } = await recordOf(await send({ requested_model: MODEL }));
      expect(explanation.cost).toMatchObject({ catalogue: version, low: '0.004', high: '0.004' });
    },
    { timeout: 180_000, interval: 2_000 },
  );
  const { tenant_id: tenantId, api_keys } = acme();
  // Bills are explained by the multipliers in force, so the comparison reads them too.
  const comparison = await call(service.baseUrl, '/api/v1/reconciliation', { key: api_keys.admin });
  expect(comparison.status, comparison.text).toBe(200);
  const unitCosts = await call(service.baseUrl, '/v1/reports/unit-costs', { key: api_keys.read });
  expect(unitCosts.status, unitCosts.text).toBe(200);
  const job = await call(service.baseUrl, '/api/v1/identity/mappings/reprocess', {
    key: api_keys.admin,
    body: { from: yesterday },
  });
  expect(job.status, job.text).toBe(202);
  await service.runtime.idle({ delayed: true });
  expect((await recordOf(late)).cost_usd).toBe('0.004');
  expect((await recordOf(late)).explanation.cost?.catalogue).toBe(version);
  expect(await recordOf(early)).toMatchObject({ version: 1, cost_usd: null });
  expect(await recordOf(other)).toMatchObject({ version: 1, cost_usd: null });

  const audit = await call(service.baseUrl, '/api/v1/audit-log?limit=200', { key: api_keys.admin });
  const entries = (audit.body as { data: { action: string; resource: string }[] }).data;
  expect(
    entries.filter(({ action }) => action === 'prices.load'),
    tenantId,
  ).toMatchObject([{ resource: version, actor: { type: 'operator' }, outcome: 'succeeded' }]);
});

it('refuses a faulty file with each fault, and changes nothing', async () => {
  const before = await run('show');
  const faulty = file({
    ...listOf({
      [MODEL]: [{ input: '1' }, { from: TODAY, input: '0.000002', output: '5000' }],
      'ACME-2': [{ from: '2026-13-01', input: '1' }],
    }),
    tiers: [{ tiers: ['priority'], source: 'a page', checked: TODAY, times: '2' }],
    note: 'a member of no format',
  });

  await expect(run('load', faulty)).rejects.toThrow(
    [
      'The file has faults (4). Nothing was changed.',
      `  /lists/0/models/${MODEL}/0/from: is required`,
      '  /lists/0/models/ACME-2/0/from: must be a date, such as 2026-03-01',
      '  /tiers/0/from: is required',
      '  /note: Unknown or read-only member.',
    ].join('\n'),
  );
  expect(await run('show')).toBe(before);
});

it('executes the guide', async () => {
  const guide = readFileSync('docs/guides/prices.md', 'utf8');
  const prices = file(/```json\n(?<text>[^`]+)```/.exec(guide)?.groups?.['text'] ?? '');
  const commands = [...guide.matchAll(/^npm run prices -- (.+)$/gm)].map(([, args = '']) =>
    args.split(' ').map((arg) => (arg === 'prices.json' ? prices : arg)),
  );

  const outputs: string[] = [];
  for (const command of commands) outputs.push(await run(...command));

  expect(outputs).toHaveLength(3);
  expect(outputs[0]).toContain('Nothing was changed.');
  expect(outputs[1]).toContain('is in force');
  const loaded = PriceObject.parse(JSON.parse(outputs[2] ?? ''));
  const event = { provider: 'acme-host', requested_model: 'acme-large-2', cached_input_tokens: 0 };
  const { cost } = assessImpact(
    InvocationEvent.parse(someEvent({ ...event, service_tier: 'fast', region: 'eu' })),
    new Date('2026-11-15T00:00:00Z'),
    await loadFactors({ loaded }),
  );
  // 1,000 and 200 tokens at 2 and 10 USD per million, times 2 for the tier and 1.1 for the place.
  expect([cost?.low, cost?.central, cost?.high]).toEqual(['0.0088', '0.0088', '0.0088']);
});
