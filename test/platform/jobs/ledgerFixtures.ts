import { type AttributionContext, attribute } from '../../../functions/attribution/engine/attribute.ts';
import type { Factors } from '../../../functions/impact/factors.ts';
import {
  type LedgerReader,
  ledgerWriter,
  type Version,
} from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf, shardBitsOf, versionKeyOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordUlid, ulidInId } from '../../../functions/platform/shared/ids.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { anEvent, noFactors } from '../../attribution/engine/events.ts';
import { eventIdOf } from '../../ledger/records/ledgerFixture.ts';

/** An invocation: the members of its event, and when it occurred and was received (epoch milliseconds). */
export interface CallSpec {
  readonly index: number;
  readonly occurredAt: number;
  readonly receivedAt?: number;
  readonly members?: Record<string, unknown>;
  /** The lane of the record. Default: that of a tenant without lanes. */
  readonly residency?: string;
  readonly context?: AttributionContext;
  readonly factors?: Factors;
}

export const attributionOf = (
  tenant: Tenant,
  { index, occurredAt, receivedAt, members, residency, context, factors = noFactors }: CallSpec,
) =>
  attribute(
    anEvent({ event_id: eventIdOf(index), ...members }),
    // Some records have another number of shard bits, so that readers must merge shards.
    {
      occurredAt,
      receivedAt: receivedAt ?? occurredAt,
      residency: residency ?? null,
      record: recordUlid(tenant.tenant_id, eventIdOf(index), occurredAt, index % 3),
    },
    tenant,
    factors,
    context,
  );

/** A read-only ledger in memory with the first version of each record. */
export const simulatedLedger = (tenant: Tenant, calls: readonly CallSpec[]): LedgerReader => {
  const versions = calls
    .map((one): Version & { readonly partition: string } => {
      const attribution = attributionOf(tenant, one);
      const ulid = ulidInId(attribution.record.id);
      return {
        key: versionKeyOf(ulid, 1),
        validity: { version: 1, from: Date.parse(attribution.record.as_of), to: null },
        attribution,
        partition: recordPartitionOf(tenant, ulid),
      };
    })
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  return {
    months: async () =>
      [...new Set(calls.map(({ occurredAt }) => monthOf(occurredAt)))]
        .sort()
        .map((month) => ({ month, shards: 4 })),
    read: async (_, { partition, from, to, descending, limit }) => {
      const within = versions.filter(
        (one) => one.partition === partition && one.key >= from && one.key <= to,
      );
      const found = (descending ? within.toReversed() : within).slice(0, limit);
      return { versions: found, last: found.length < within.length ? (found.at(-1)?.key ?? null) : null };
    },
    newest: async (_, __, ulid) =>
      versions.find(({ attribution }) => ulidInId(attribution.record.id) === ulid)?.attribution ?? null,
  };
};

const writer = ledgerWriter('ledger', () => 0);

/** Writes records as the recorder does, each month first. */
export const writeAll = async (tenant: Tenant, calls: readonly CallSpec[]): Promise<void> => {
  await Promise.all(
    calls.map(async (one) => {
      const attribution = attributionOf(tenant, one);
      const ulid = ulidInId(attribution.record.id);
      await writer.openMonth(tenant.tenant_id, monthOf(one.occurredAt), shardBitsOf(ulid));
      return writer.add(recordPartitionOf(tenant, ulid), ulid, attribution);
    }),
  );
};
