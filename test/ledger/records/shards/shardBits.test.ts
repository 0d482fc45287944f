import {
  ProvisionedThroughputExceededException,
  ThrottlingException,
  type ThrottlingReason,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isKeyThrottle,
  shardBitsStore,
} from '../../../../functions/ledger/records/shards/shardBits.store.ts';
import {
  ONE_SHARD,
  shardBitsAfterRate,
  shardBitsAfterThrottle,
  shardBitsForRate,
} from '../../../../functions/ledger/records/shards/shardBits.ts';
import {
  currentShardBits,
  shardBitsControl,
} from '../../../../functions/ledger/records/shards/shardBitsControl.ts';
import { type LiveTables, startTables } from '../../../support/tables.ts';

const NOW = Date.parse('2026-07-01');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('currentShardBits', () => {
  it('reads once in five seconds, and remembers for as long that it could not', async () => {
    let now = NOW;
    const answers = [3, new Error('the table is down'), 4];
    const current = currentShardBits(
      async () => {
        const answer = answers.shift() ?? 0;
        if (typeof answer !== 'number') throw answer;
        return answer;
      },
      () => now,
    );

    const seen: unknown[] = [];
    for (let read = 0; read < 6; read += 1) {
      seen.push(await current('acme'));
      now += 2_500;
    }

    expect(seen).toEqual([3, 3, null, null, 4, 4]);
  });
});

describe('shardBitsForRate', () => {
  it.each([
    [0, 0],
    [1, 0],
    [500, 0],
    [501, 1],
    [1_000, 1],
    [5_000, 4],
    [50_000, 7],
    [1e9, 15],
  ])(
    'plans at most 500 records a second for each key: at %d a second the number of shard bits is %d',
    (rate, shardBits) => {
      expect(shardBitsForRate(rate)).toBe(shardBits);
    },
  );
});

describe('shardBitsAfterRate', () => {
  it('rises at once to what the rate needs', () => {
    expect(shardBitsAfterRate(ONE_SHARD, 5_000, NOW)).toEqual({ shardBits: 4, busyAt: NOW });
  });

  it('changes nothing for a small tenant', () => {
    expect(shardBitsAfterRate(ONE_SHARD, 3, NOW)).toBeNull();
  });

  it('falls by one step after an hour below a quarter of the planned rate', () => {
    const state = { shardBits: 4, busyAt: NOW };

    expect(shardBitsAfterRate(state, 1_999, NOW + HOUR - 1)).toBeNull();
    expect(shardBitsAfterRate(state, 1_999, NOW + HOUR)).toEqual({ shardBits: 3, busyAt: NOW + HOUR });
  });

  it('stays while a minute in the hour needs more than a quarter, and writes that rarely', () => {
    const state = { shardBits: 4, busyAt: NOW };

    expect(shardBitsAfterRate(state, 2_000, NOW + MINUTE)).toBeNull();
    expect(shardBitsAfterRate(state, 2_000, NOW + 10 * MINUTE)).toEqual({
      shardBits: 4,
      busyAt: NOW + 10 * MINUTE,
    });
  });
});

describe('shardBitsAfterThrottle', () => {
  it('adds one to the number of shard bits of the refused record', () => {
    expect(shardBitsAfterThrottle({ shardBits: 2, busyAt: 0 }, 2, NOW)).toEqual({
      shardBits: 3,
      busyAt: NOW,
    });
  });

  it.each([
    ['records of an earlier number of shard bits', { shardBits: 3, busyAt: 0 }, 2],
    ['the highest number of shard bits', { shardBits: 15, busyAt: 0 }, 15],
  ])('ignores throttles of %s', (_, state, shardBits) => {
    expect(shardBitsAfterThrottle(state, shardBits, NOW)).toBeNull();
  });
});

const throttled = (reason: string) =>
  new ProvisionedThroughputExceededException({
    message: 'throttled',
    $metadata: {},
    ThrottlingReasons: [{ reason, resource: 'ledger' }],
  });
const keyThrottle = throttled('TableWriteKeyRangeThroughputExceeded');

describe('isKeyThrottle', () => {
  const reasons: ThrottlingReason[] = [{ reason: 'TableWriteKeyRangeThroughputExceeded' }];

  it.each<[string, unknown, boolean]>([
    ['a throttled key', keyThrottle, true],
    [
      'a throttled key of an on-demand table',
      new ThrottlingException({ message: '', $metadata: {}, throttlingReasons: reasons }),
      true,
    ],
    ['a throttled table', throttled('TableWriteMaxOnDemandThroughputExceeded'), false],
    ['a throttled account', throttled('TableWriteAccountLimitExceeded'), false],
    ['another error', new Error('network'), false],
  ])('for %s', (_, error, expected) => {
    expect(isKeyThrottle(error)).toBe(expected);
  });
});

describe('shardBitsControl, with a table', () => {
  let live: LiveTables;
  let now = NOW;
  beforeAll(async () => {
    live = await startTables();
  });
  afterAll(() => live.stop());

  /** The controls of two processes. */
  const processes = () => [0, 1].map(() => shardBitsControl(shardBitsStore('ledger'), () => now));
  const refused = async (): Promise<never> => {
    throw keyThrottle;
  };

  it('raises the number of shard bits by one for many refused writes, and tells every process within five seconds', async () => {
    const [one, other] = processes();
    expect(await other?.current('hot')).toBe(0);

    const writes = await Promise.allSettled(
      Array.from({ length: 20 }, () => one?.raisingWhenThrottled('hot', 0, refused)),
    );
    now += 5_000;

    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 'rejected'));
    expect(await one?.current('hot')).toBe(1);
    expect(await other?.current('hot')).toBe(1);
  });

  it('follows the rate of a minute up at once and down by the hour', async () => {
    const [one, other] = processes();
    await one?.observeMinute('following', 60 * 5_000);
    now += 5_000;
    expect(await other?.current('following')).toBe(4);

    for (let hour = 0; hour < 5; hour += 1) {
      now += HOUR;
      await one?.observeMinute('following', 60);
    }
    now += 5_000;

    expect(await other?.current('following')).toBe(0);
  });

  it('writes no row for a tenant below the rate of one shard', async () => {
    const [one] = processes();

    await one?.observeMinute('small', 60 * 400);

    expect((await shardBitsStore('ledger').read('small')).revision.attempt).toBe(0);
  });
});
