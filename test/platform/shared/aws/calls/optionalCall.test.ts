import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { heartbeatStore } from '../../../../../functions/insight/coverage/heartbeat.store.ts';
import { progressStore } from '../../../../../functions/ledger/freshness/progress.store.ts';
import { pendingMarkStore } from '../../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { idempotencyClaims } from '../../../../../functions/platform/idempotency/idempotencyClaim.store.ts';
import { bucketStore } from '../../../../../functions/platform/limits/bucket.store.ts';
import type { AwsRequest } from '../../../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { counterStore } from '../../../../../functions/tenants/diagnostics/counter.store.ts';
import { refusalAnswer, throttle } from '../../../../../local/limits/tableErrors.ts';
import { startTables } from '../../../../support/tables.ts';

/** Half of the time after which other throttled calls give up. */
const GIVEN_UP_WITHIN_MS = 5_000;
const MARCH = Date.parse('2026-03-15T12:00:00Z');

const live = await startTables();
afterAll(() => live.stop());

// 1.5 s: all calls wait for their limit at the same time.
it('gives up soon on calls that requests and events can do without, while their tables are throttled', async () => {
  const refuse = (message: unknown): void => {
    const request = message as AwsRequest;
    request.answer = () => refusalAnswer(throttle('write', 'AccountLimitExceeded', 'all'));
  };
  subscribe('aws.request', refuse);
  onTestFinished(() => {
    unsubscribe('aws.request', refuse);
  });
  const capture = {
    pathway_category: 'application_direct',
    ingestion_layer: 'gateway',
    source_system: null,
    residency: null,
  } as const;
  const bucket = { key: 'a', amount: 1, floor: 0, latest: 1, emptied: 0, lastTat: 0 };
  const startedAt = performance.now();

  const outcomes = await Promise.allSettled([
    idempotencyClaims('idempotency').claim('key', 'fingerprint', MARCH),
    bucketStore('limits').charge(bucket),
    progressStore('counters').put('acme', 'accepted', MARCH),
    pendingMarkStore('counters').oldest('acme'),
    heartbeatStore('coverage').add('acme', capture, MARCH),
    counterStore('counters').put({ tenantId: 'acme', hour: '2026-03-15T12', shard: 'a', counts: new Map() }),
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
  expect(performance.now() - startedAt).toBeLessThan(GIVEN_UP_WITHIN_MS);
});
