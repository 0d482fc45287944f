import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { type BucketCharge, type Limiter, limiter } from '../../../functions/platform/limits/limiter.ts';
import { postBills } from '../../../schemas/routes/chargeback/bills.ts';
import { postCallLogs } from '../../../schemas/routes/ingest/callLogs.ts';
import { postEvents } from '../../../schemas/routes/insight/signals.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { caller, NOW, serve } from '../http/harness.ts';
import { inMemoryBucketStore } from './inMemoryBucketStore.ts';

const KIB = 1_024;
const state = { limit: 100, remaining: 99, reset: 1 };

/** The charge of a request with this body. */
const chargeOf = async (
  route: RouteShape,
  body: Buffer,
  encoding?: string,
): Promise<Partial<BucketCharge>> => {
  const charges: BucketCharge[] = [];
  const recording: Limiter = {
    charge: async (charge) => {
      charges.push(charge);
      return { outcome: 'admitted', state };
    },
    peek: async () => state,
  };
  const headers = {
    'x-api-key': 'ask_good',
    'content-type': 'application/json',
    'idempotency-key': 'once',
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  };
  await serve(
    route,
    () => reply(202, {}),
    { headers, body },
    {
      limiter: recording,
      authenticator: async () => ({ ...caller, scopes: new Set(['ingest:write', 'admin:config'] as const) }),
      ...(route.body?.kind === 'log' && { decode: decodeCallLogs }),
    },
  );
  return { ...charges[0] };
};

const blank = (bytes: number): Buffer => Buffer.from(`{}${' '.repeat(bytes - 2)}`);

describe('the rate limit', () => {
  it.each([
    ['an empty object', blank(2), undefined, 1],
    ['exactly one part', blank(16 * KIB), undefined, 1],
    ['one byte more', blank(16 * KIB + 1), undefined, 2],
    ['a megabyte that is sent as a kilobyte', gzipSync(blank(1_024 * KIB)), 'gzip', 64],
    ['the most that is decompressed, if there is more', gzipSync(blank(32 * 1_024 * KIB)), 'gzip', 1_024],
    ['a body with too many values', gzipSync(Buffer.from(`[${'{},'.repeat(2_000_000)}{}]`)), 'gzip', 367],
    ['text that is no JSON', gzipSync(Buffer.alloc(160 * KIB, '[')), 'gzip', 10],
    ['bytes that are no gzip', Buffer.alloc(20 * KIB), 'gzip', 2],
  ])('charges a log by its size after decompression: %s', async (_, body, encoding, sizeCost) => {
    expect(await chargeOf(postCallLogs, body, encoding)).toMatchObject({ cost: 1, sizeCost });
  });

  it('charges the events of a batch, if they cost more than its size', async () => {
    expect(await chargeOf(postEvents, Buffer.from('[{},{},{}]'))).toMatchObject({ cost: 3, sizeCost: 1 });
  });

  it('charges bills one token for every 512 KiB', async () => {
    expect(await chargeOf(postBills, blank(600 * KIB))).toMatchObject({ cost: 1, sizeCost: 2 });
  });
});

describe('a charge by size', () => {
  const tenant = aTenant({ limits: { ingest: { rate: 10, burst: 20 } } });
  const charge = (cost: number, sizeCost: number) =>
    limiter(inMemoryBucketStore().store, { clock: () => NOW }).charge({
      ...{ tenant, principal: 'key_1', rateClass: 'ingest' },
      cost,
      sizeCost,
    });

  it.each([
    [1, 5, 15],
    [5, 1, 15],
    [1, 20, 0],
    [1, 1_000, 0],
  ])('of %i events and %i tokens leaves %i of 20', async (cost, sizeCost, remaining) => {
    expect(await charge(cost, sizeCost)).toMatchObject({ outcome: 'admitted', state: { remaining } });
  });

  it('does not admit more events than the burst', async () => {
    expect(await charge(21, 1_000)).toMatchObject({ outcome: 'never' });
  });
});
