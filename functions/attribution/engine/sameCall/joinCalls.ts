import type { CounterName } from '../../../../schemas/tenants/counters.ts';
import { PRODUCER } from '../../../impact/footprint/carbon.ts';
import { METERED } from '../../../impact/footprint/energy.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { type Charge, mayMoveCost } from '../../../ledger/records/dedup/statementPolicy.ts';
import { personKey } from '../../../ledger/records/person.ts';
import type { SameCall } from '../../../ledger/records/sameCall/sameCall.ts';
import { endUserOf, toInvocationEvent } from '../../../ledger/records/storedEvent.ts';
import { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { MarkDirty } from '../../../ledger/rollups/marks/markDirty.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from '../attribute.ts';
import { reattribute } from '../reprocessing/reattribute.ts';
import type { Revise } from '../revise.ts';
import { canBeOneCall } from './canBeOneCall.ts';
import { costsOf, rankRecords } from './rankRecords.ts';
import type { CallGroup } from './sameCall.ts';
import type { UncountedCall } from './uncountedCalls.ts';

/** Confidence that records are of one call (our estimates). */
const CONFIDENCE: Readonly<Record<CallGroup['basis'], number>> = { call_id: 0.95, trace: 0.9, time: 0.8 };

export interface Joining {
  readonly tenant: Tenant;
  readonly context: TenantAttributionContext;
}

export interface JoinStores {
  readonly recordOf: (tenant: Tenant, ulid: string) => Promise<Attribution | null>;
  readonly revise: Revise;
  readonly mark: MarkDirty;
  readonly count: (tenantId: string, name: CounterName) => void;
}

/** The record as it would be if it were the only one of its call. */
const alone = (current: Attribution, { tenant, context }: Joining): Attribution =>
  reattribute(current, tenant, context.factors, { ...context, sameCall: null }, 0) ?? current;

/** Who pays for a call by the evidence of its record. A prediction is none. */
const chargeOf = ({ record, storedEvent }: Attribution): Charge => ({
  credential: storedEvent.stated_by?.id,
  payer:
    record.owner === null || record.interpretation.stage_origin !== 'stage_a'
      ? undefined
      : personKey(record.owner),
});

/** Whether two credentials name different payers. Then each record keeps its cost. */
const areContested = (charges: readonly Charge[]): boolean =>
  charges.some((one) => charges.some((other) => !mayMoveCost(one, other)));

const reportsFootprint = ({ explanation: { energy, carbon } }: Pick<Attribution, 'explanation'>): boolean =>
  energy?.method === METERED || carbon?.method === PRODUCER;

/** The highest of other figures, if it is above the own one. */
const highestAbove = <Figure extends { readonly central: string }>(
  own: Figure | null,
  others: readonly (Figure | null)[],
): Figure | null =>
  others.reduce<Figure | null>((highest, other) => {
    const least = highest ?? own;
    return other !== null && (least === null || decimal(other.central).gt(least.central)) ? other : highest;
  }, null);

/**
 * The energy and carbon that records of other credentials state above the one that counts, if either was reported: two estimates
 * differ by what is known of the place, and the one that counts knows more.
 */
const footprintAbove = (
  counted: Attribution,
  repeats: readonly Attribution[],
): Pick<SameCall, 'energy' | 'carbon'> => {
  const { explanation: own } = counted;
  const others = repeats.filter(
    (one) =>
      one.storedEvent.stated_by?.id !== counted.storedEvent.stated_by?.id &&
      (reportsFootprint(one) || reportsFootprint(counted)),
  );
  const explained = others.map(({ explanation }) => explanation);
  const energy = highestAbove(
    own.energy,
    explained.map((one) => one.energy),
  );
  const carbon = highestAbove(
    own.carbon,
    explained.map((one) => one.carbon),
  );
  return { ...(energy !== null && { energy }), ...(carbon !== null && { carbon }) };
};

/** Who called, as the records that do not count say. What the last one says holds: it is nearest to the caller. */
const evidenceOf = (repeats: readonly Attribution[]): Evidence =>
  Evidence.parse(
    Object.assign(
      {},
      ...repeats.map(({ record, storedEvent }) => Evidence.parse(toInvocationEvent(record, storedEvent))),
    ),
  );

/** What each record of a group is to say of the others. */
const statesOf = (
  { basis, isAmbiguous }: CallGroup,
  found: readonly (readonly [ulid: string, Attribution])[],
  joining: Joining,
): Map<string, SameCall> => {
  const of = { basis, confidence: CONFIDENCE[basis] };
  const othersOf = (ulid: string) => found.map(([other]) => other).filter((other) => other !== ulid);
  const records = found.map(([, current]) => alone(current, joining));
  if (isAmbiguous || areContested(records.map(chargeOf))) {
    return new Map(
      found.map(([ulid]) => [ulid, { ...of, state: 'ambiguous', records: othersOf(ulid) } as const]),
    );
  }
  const [counted, ...repeats] = rankRecords(records);
  const cost = counted && costsOf(counted, repeats);
  const endUser = repeats.flatMap(({ storedEvent }) => endUserOf(storedEvent) ?? []).at(-1);
  const countedUlid = counted === undefined ? '' : ulidInId(counted.record.id);
  return new Map(
    [countedUlid, ...repeats.map(({ record }) => ulidInId(record.id))].map((ulid): [string, SameCall] => [
      ulid,
      ulid === countedUlid
        ? {
            ...of,
            state: 'counted',
            records: othersOf(ulid),
            evidence: evidenceOf(repeats),
            ...(cost !== undefined && { cost }),
            ...(counted !== undefined && footprintAbove(counted, repeats)),
            ...(endUser !== undefined && { end_user: endUser }),
          }
        : { ...of, state: 'repeat', records: [countedUlid] },
    ]),
  );
};

/** What an id of the call showed stays, whatever else is observed. */
const isShownById = ({ storedEvent }: Attribution): boolean => storedEvent.same_call?.basis === 'call_id';

/**
 * Makes records say that they are of one call: one of them counts, with what the others know of the caller, and the others
 * repeat it, without a cost. If it cannot be told which records belong together, all of them count, and say so. Records
 * without a group count by themselves again. Idempotent. `isCurrent` is asked again before each write: a later observation
 * can change the groups, and its process then decides.
 */
export const callJoiner = ({ recordOf, revise, mark, count }: JoinStores) => {
  const set = async (
    { tenant, context }: Joining,
    ulid: string,
    sameCall: SameCall | null,
    isCurrent: () => Promise<boolean>,
  ): Promise<void> => {
    const by = { claim: `same call ${sameCall?.records.join(' ') ?? ''}`, attempt: 1 };
    const outcome = await revise(tenant, ulid, by, async (current, startsAt) => {
      const { same_call: known } = current.storedEvent;
      if (sameCall === null && known === undefined) return null;
      if (sameCall?.state !== 'counted' && sameCall?.state !== 'repeat' && isShownById(current)) return null;
      if (!(await isCurrent())) return null;
      return reattribute(current, tenant, context.factors, { ...context, sameCall }, startsAt());
    });
    if (outcome !== 'revised') return;
    await mark(tenant.tenant_id, [timeOfUlid(ulid)]);
    if (sameCall?.state === 'repeat') count(tenant.tenant_id, 'joined_calls');
    if (sameCall?.state === 'ambiguous') count(tenant.tenant_id, 'ambiguous_calls');
  };

  return {
    join: async (
      joining: Joining,
      group: CallGroup,
      isCurrent: () => Promise<boolean> = () => Promise.resolve(true),
    ): Promise<void> => {
      const found = await Promise.all(
        group.records.map(async (ulid) => [ulid, await recordOf(joining.tenant, ulid)] as const),
      );
      const written = found.flatMap(([ulid, one]) => (one === null ? [] : [[ulid, one] as const]));
      if (written.length < found.length) {
        // Whoever writes the missing record reads the observations afterwards, but not who named its id.
        if (group.basis === 'call_id') throw new Error('a record of the call is not written yet');
        return;
      }
      if (group.basis === 'call_id' && !canBeOneCall(written.map(([, one]) => one))) {
        count(joining.tenant.tenant_id, 'ambiguous_calls');
        return;
      }
      const states = statesOf(group, written, joining);
      // Those that repeat the call come first, so that it is not counted twice for longer than necessary.
      for (const [ulid, sameCall] of [...states].toReversed()) await set(joining, ulid, sameCall, isCurrent);
    },
    /**
     * Makes a record without token counts repeat the only one that can be of its call. That one states the usage itself, and shares
     * the trace with its names, so nothing of it changes. Several: nobody can tell which it repeats, so it says so.
     */
    joinUncounted: async (
      joining: Joining,
      { record, partners }: UncountedCall,
      isCurrent: () => Promise<boolean>,
    ): Promise<void> => {
      if (partners.length === 0) return set(joining, record, null, isCurrent);
      const found = await Promise.all([record, ...partners].map((ulid) => recordOf(joining.tenant, ulid)));
      const written = found.filter((one) => one !== null);
      // Whoever writes the missing record reads the observations afterwards.
      if (written.length < found.length) return;
      const isAmbiguous = partners.length > 1 || areContested(written.map(chargeOf));
      const sameCall: SameCall = {
        state: isAmbiguous ? 'ambiguous' : 'repeat',
        basis: 'trace',
        confidence: CONFIDENCE.trace,
        records: [...partners],
      };
      await set(joining, record, sameCall, isCurrent);
    },
    separate: (joining: Joining, ulid: string, isCurrent: () => Promise<boolean>): Promise<void> =>
      set(joining, ulid, null, isCurrent),
  };
};
export type CallJoiner = ReturnType<typeof callJoiner>;
