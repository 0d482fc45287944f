import {
  ProvisionedThroughputExceededException,
  ThrottlingException,
  type ThrottlingReason,
} from '@aws-sdk/client-dynamodb';
import { optionalCall } from '../../../platform/shared/aws/calls/optionalCall.ts';
import {
  commit,
  NO_REVISION,
  readVersioned,
  type Versioned,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { directoryPartitionOf } from '../ledgerKey.ts';
import { ONE_SHARD, ShardBitsState } from './shardBits.ts';

export interface ShardBitsStore {
  /** The state of a tenant, strongly consistent. */
  readonly read: (tenantId: string) => Promise<Versioned<ShardBitsState>>;
  /** Returns false when another writer was faster. */
  readonly replace: (
    tenantId: string,
    current: Versioned<ShardBitsState>,
    next: ShardBitsState,
  ) => Promise<boolean>;
}

/** Sorts after the months of the directory. */
const keyOf = (tenantId: string) => ({ pk: directoryPartitionOf(tenantId), sk: 'shardBits' });

/** Reads the number of shard bits of a tenant, for a request that can do without it. */
export const shardBitsReader =
  (table: string) =>
  async (tenantId: string): Promise<number> =>
    ((await readVersioned(table, keyOf(tenantId), ShardBitsState, optionalCall()))?.document ?? ONE_SHARD)
      .shardBits;

export const shardBitsStore = (table: string): ShardBitsStore => ({
  read: async (tenantId) =>
    (await readVersioned(table, keyOf(tenantId), ShardBitsState)) ?? {
      document: ONE_SHARD,
      revision: NO_REVISION,
    },
  replace: (tenantId, { revision }, next) => {
    const isFirst = revision.attempt === NO_REVISION.attempt;
    const by = { claim: 'shardBits', attempt: revision.attempt + 1 };
    return commit([
      writeDocument(table, keyOf(tenantId), next, { expectedRevision: isFirst ? null : revision, by }),
    ]);
  },
});

/** A key took more writes than DynamoDB accepts for one key. Throttles of the table or account have other reasons. */
const KEY_THROTTLE = 'TableWriteKeyRangeThroughputExceeded';

const throttlingReasonsOf = (error: unknown): readonly ThrottlingReason[] => {
  if (error instanceof ProvisionedThroughputExceededException) return error.ThrottlingReasons ?? [];
  return error instanceof ThrottlingException ? (error.throttlingReasons ?? []) : [];
};

/** Whether a write was refused because of the rate of its partition key, so that more shards help. */
export const isKeyThrottle = (error: unknown): boolean =>
  throttlingReasonsOf(error).some(({ reason }) => reason?.startsWith(KEY_THROTTLE) === true);
