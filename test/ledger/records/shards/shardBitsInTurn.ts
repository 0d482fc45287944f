import type { ShardBitsControl } from '../../../../functions/ledger/records/shards/shardBitsControl.ts';

/** A number of shard bits that changes with every event: a retry must still find what its first attempt wrote. */
export const shardBitsInTurn = (): Pick<ShardBitsControl, 'current' | 'raisingWhenThrottled'> => {
  let calls = 0;
  return {
    current: async () => {
      calls += 1;
      return calls % 4;
    },
    raisingWhenThrottled: (_tenantId, _shardBits, write) => write(),
  };
};

/** A tenant with one shard. */
export const oneShard: Pick<ShardBitsControl, 'current' | 'raisingWhenThrottled'> = {
  current: async () => 0,
  raisingWhenThrottled: (_tenantId, _shardBits, write) => write(),
};
