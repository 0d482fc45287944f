import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

let instance: Instance;
let keys: { admin: string; ingest: string; read: string };

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: tenant } = demoTenants(instance.credentials);
  keys = tenant.api_keys;
});
afterAll(() => instance?.stop());

it('GET /api/v1/reconciliation compares billed with recorded costs by provider, model and day', async () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
  const occurred_at = `${yesterday}T10:00:00Z`;
  // Five identities, because smaller groups are suppressed.
  const persons = ['ann', 'ben', 'cem', 'dee', 'eva'];
  const events = persons.flatMap((attributed_identity) =>
    [
      { estimated_cost_usd: '1.25', served_model: 'gpt-4o-2024-08-06' },
      { estimated_cost_usd: '0.25' },
      { provider: 'an-unknown-provider', requested_model: 'no-such-model' },
    ].map((members) => someEvent({ occurred_at, attributed_identity, ...members })),
  );
  await call(instance.baseUrl, '/api/v1/invocations/batch', { key: keys.ingest, body: { events } });
  const row = {
    BilledCost: '8.000000000001',
    BillingCurrency: 'USD',
    ServiceProviderName: 'OpenAI',
    ChargePeriodStart: `${yesterday}T00:00:00Z`,
    ChargePeriodEnd: new Date(Date.parse(yesterday) + 24 * 60 * 60 * 1_000).toISOString(),
    SkuId: 'gpt-4o',
  };
  for (const rows of [[{ ...row, BilledCost: '9' }], [row]]) {
    const answer = await call(instance.baseUrl, '/api/v1/reconciliation/bills', {
      key: keys.admin,
      body: { rows },
    });
    expect(answer.status, answer.text).toBe(200);
  }

  const compare = async () =>
    (await call(instance.baseUrl, '/api/v1/reconciliation?group_by=provider,model,day', { key: keys.read }))
      .body;

  await expect.poll(compare, { interval: 500 }).toMatchObject({
    data: [
      {
        provider: 'an-unknown-provider',
        model: 'no-such-model',
        day: yesterday,
        billed_usd: null,
        unpriced_invocations: 5,
      },
      {
        provider: 'openai',
        model: 'gpt-4o',
        day: yesterday,
        invocations: 10,
        attributed_usd: '7.5',
        billed_usd: '8.000000000001',
        difference_usd: '0.500000000001',
        under_recorded_usd: '0.500000000001',
      },
    ],
    stale: false,
  });
});
