import type { SpreadControl } from '../../../functions/ledger/records/spreadControl.ts';

/** A spread that changes with every event: a retry must still find what its first attempt wrote. */
export const spreadInTurn = (): Pick<SpreadControl, 'current' | 'raisingWhenThrottled'> => {
  let calls = 0;
  return {
    current: async () => {
      calls += 1;
      return calls % 4;
    },
    raisingWhenThrottled: (_tenantId, _spread, write) => write(),
  };
};

/** A tenant with one shard. */
export const noSpread: Pick<SpreadControl, 'current' | 'raisingWhenThrottled'> = {
  current: async () => 0,
  raisingWhenThrottled: (_tenantId, _spread, write) => write(),
};
