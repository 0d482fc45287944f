import type { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import {
  DRY_RUN_TOLD_MAXIMUM,
  type DryRun,
  type IdentityMappingRequest,
} from '../../schemas/routes/identity.ts';
import type { Mappings } from '../attribution/mappings/mapping.ts';
import { positionBehind } from '../attribution/mappings/order.ts';
import { resolvedUnder } from '../attribution/resolvedUnder.ts';
import type { Attribution } from '../ledger/attribution.ts';
import { type Making, newMapping } from './edit.ts';

/** A change of a tenant's mappings: one made, one changed into another, or one deleted. */
export interface MappingChange {
  readonly mapping: IdentityMappingRequest | undefined;
  readonly replaced: IdentityMapping | undefined;
}

/** The mappings as a change would leave them; `all` in order. */
export const changedMappings = (
  all: readonly IdentityMapping[],
  { mapping, replaced }: MappingChange,
  making: Pick<Making, 'id' | 'at' | 'by'>,
): IdentityMapping[] => {
  const others = all.filter(({ id }) => id !== replaced?.id);
  if (mapping === undefined) return others;
  const changed = newMapping(mapping, {
    ...making,
    id: replaced?.id ?? making.id,
    position: replaced?.position ?? positionBehind(all.at(-1)?.position ?? 0),
    // It would apply from now on, and so to nothing that a dry run can look at.
    effectiveFrom: replaced?.effective_from ?? new Date(0).toISOString(),
  });
  return [...others, changed];
};

type Named = DryRun['changes'][number]['before'];

interface Outcome {
  readonly id: string;
  readonly before: Named;
  readonly after: Named;
}

/**
 * Whom a record names, and whom it would through the change alone: what the mappings as they are would say otherwise
 * than the record, as it was made before them, is no doing of the change.
 */
const outcomeOf = (attribution: Attribution, current: Mappings, changed: Mappings): Outcome => {
  const { id, owner, service, output_state } = attribution.record;
  const before = { owner, service };
  if (output_state === 'manually_overridden') return { id, before, after: before };
  const now = resolvedUnder(attribution, current);
  const then = resolvedUnder(attribution, changed);
  const after = {
    owner: then.owner === now.owner ? owner : then.owner,
    service: then.service === now.service ? service : then.service,
  };
  return { id, before, after };
};

type Shift = DryRun['owners'][number];

/** Who has how many calls before and after, for those whose number changes; the largest changes first. */
const shiftsOf = (outcomes: readonly Outcome[]): Shift[] => {
  const count = (named: readonly Named[]): ReadonlyMap<string | null, number> =>
    new Map([...Map.groupBy(named, ({ owner }) => owner)].map(([owner, own]) => [owner, own.length]));
  const before = count(outcomes.map((outcome) => outcome.before));
  const after = count(outcomes.map((outcome) => outcome.after));
  const size = (shift: Shift): number => Math.abs(shift.invocations_after - shift.invocations_before);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((owner) => ({
      owner,
      invocations_before: before.get(owner) ?? 0,
      invocations_after: after.get(owner) ?? 0,
    }))
    .filter((shift) => size(shift) > 0)
    .sort((one, other) => size(other) - size(one));
};

/** What becomes of these records, newest first, when `current` mappings are changed. */
export const dryRun = (
  attributions: readonly Attribution[],
  current: Mappings,
  changed: Mappings,
): Omit<DryRun, 'truncated'> => {
  const outcomes = attributions.map((attribution) => outcomeOf(attribution, current, changed));
  const changes = outcomes.filter(
    ({ before, after }) => before.owner !== after.owner || before.service !== after.service,
  );
  return {
    examined: outcomes.length,
    changed: changes.length,
    changes: changes
      .slice(0, DRY_RUN_TOLD_MAXIMUM)
      .map(({ id, before, after }) => ({ attribution_id: id, before, after })),
    owners: shiftsOf(outcomes).slice(0, DRY_RUN_TOLD_MAXIMUM),
  };
};
