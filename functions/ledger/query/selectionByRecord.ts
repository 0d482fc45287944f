import pMap from 'p-map';
import { type Stretch, stretchOf } from '../../http/paging.ts';
import { timeOfUlid } from '../../shared/ulid.ts';
import { isInLane } from '../../tenancy/lane.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { recordPartitionOf, versionKeyOf } from '../ledgerKey.ts';
import { matches } from './filter.ts';
import { inOrder, type Order, placeOf } from './sortPlace.ts';
import { pastKey, pastRecord } from './versionChoice.ts';
import { hasBegun, SETTLED_MILLISECONDS } from './visibility.ts';
import type { WalkRequest } from './walk.ts';

/** Records read at once. */
const CONCURRENCY = 16;
/** Versions of a record read at once: about one read unit. */
const VERSIONS = 4;

/** The version of a record that held at an instant (epoch milliseconds); undefined where there is no such record. */
const versionAt = async (
  ledger: LedgerReader,
  tenant: WalkRequest['tenant'],
  ulid: string,
  at: number,
): Promise<Version | undefined> => {
  const partition = recordPartitionOf(tenant, ulid);
  let to = `${ulid}#~`;
  for (;;) {
    const { versions, last } = await ledger.read(tenant.tenant_id, {
      partition,
      from: `${ulid}#`,
      to,
      descending: true,
      limit: VERSIONS,
    });
    const found = versions.find(({ validity }) => hasBegun(validity, at));
    if (found !== undefined || last === null) return found;
    to = pastKey(last, true);
  }
};

const ulidOf = ({ key }: { readonly key: string }): string => key.slice(0, key.indexOf('#'));

/**
 * The next of these records, each read under its own key, in the same order and from the same bounds as a walk: the
 * number of reads follows from the number of records asked for.
 */
export const selectByRecord = async (
  ledger: LedgerReader,
  request: WalkRequest & { readonly field: Order },
  ulids: readonly string[],
): Promise<Stretch<Version>> => {
  const { tenant, period, descending, after, residency, filters = [], asOf, limit, field } = request;
  const compare = inOrder(descending);
  const isLeft = (place: string): boolean => after === undefined || compare(place, after) >= 0;
  const isShown = ({ attribution: { record } }: Version): boolean =>
    isInLane(record, residency) && matches(filters, record);
  const inPeriod = [...new Set(ulids)].filter((ulid) => {
    const occurredAt = timeOfUlid(ulid);
    return occurredAt >= period.from && occurredAt < period.to;
  });
  const read = async (chosen: readonly string[], at: number): Promise<Version[]> => {
    const versions = await pMap(chosen, (ulid) => versionAt(ledger, tenant, ulid, at), {
      concurrency: CONCURRENCY,
    });
    return versions.filter((version) => version !== undefined).filter(isShown);
  };

  if (field === 'occurred_at') {
    const ahead = inPeriod
      .map((ulid) => versionKeyOf(ulid, 1))
      .filter(isLeft)
      .sort(compare);
    const examined = stretchOf(ahead, limit, (key) => pastRecord(key, descending));
    const items = await read(
      examined.items.map((key) => ulidOf({ key })),
      asOf,
    );
    return { items, resume: examined.resume };
  }

  const versions = await read(inPeriod, asOf - SETTLED_MILLISECONDS);
  const ahead = versions
    .map((version) => ({ ...version, key: placeOf(version.attribution.record, ulidOf(version), field) }))
    .filter(({ key }) => isLeft(key))
    .sort((one, other) => compare(one.key, other.key));
  return stretchOf(ahead, limit, ({ key }) => pastKey(key, descending));
};
