import { afterAll, expect, it } from 'vitest';
import type { MetricName } from '../../schemas/platform/metrics.ts';
import { localMetrics } from '../../tools/operator/localMetrics.ts';
import { call, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

/** What the objectives and alarms of a deployed stack are computed from. */
const EXPECTED: readonly MetricName[] = [
  'accepted',
  'recorded',
  'unresolved',
  'unpriced',
  'duplicates',
  'setAside',
  'refused',
  'unauthenticated',
  'recordLatency',
  'rollupLatency',
  'totalsAge',
  'eventTime',
  'budgetsEvaluated',
  'notificationLatency',
];

const instance = await sharedInstance();
afterAll(() => instance.stop());

const sums = () => new Map(localMetrics(instance.dataDir).map(({ metric, sum }) => [metric, sum]));

// About 5 s: totals are summed after a delay.
it('a call on its way to a notification leaves each metric of the objectives in the logs', async () => {
  const { baseUrl, runtime, credentials } = instance;
  const { admin, ingest } = demoTenants(credentials).acme.api_keys;
  const before = sums();
  const post = (path: string, key: string, body: object) => call(baseUrl, path, { key, body });

  const budget = { name: 'All', ceiling_usd: '0.000001', period: 'month', scope: {} };
  expect((await post('/api/v1/budgets', admin, budget)).status).toBe(201);
  const event = someEvent({ attributed_identity: undefined, attributed_service: undefined });
  for (const body of [event, event, someEvent({ requested_model: 'in-house-1', provider: 'in-house' })]) {
    await post('/api/v1/invocations', ingest, body);
    await runtime.idle();
  }
  await post('/api/v1/invocations', ingest, { nonsense: true });
  await call(baseUrl, '/api/v1/me', { key: `${admin}x` });
  const engines = enginesOf(credentials);
  await engines.produce(JSON.stringify(someEvent({ provider: 7 })));
  engines.close();
  await runtime.idle({ delayed: true });

  const after = sums();
  expect(EXPECTED.filter((name) => (after.get(name) ?? 0) <= (before.get(name) ?? 0))).toEqual([]);
});
