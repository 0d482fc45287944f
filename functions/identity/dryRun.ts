import type { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import {
  DRY_RUN_LISTED_MAXIMUM,
  type DryRun,
  type IdentityMappingRequest,
} from '../../schemas/routes/identity.ts';
import { nextPosition } from '../attribution/mappings/evaluationOrder.ts';
import type { CompiledMappings } from '../attribution/mappings/mappingRules.ts';
import { resolveWith } from '../attribution/resolveWith.ts';
import type { Attribution } from '../ledger/attribution.ts';
import { buildMapping, type MappingDefaults } from './mappingChanges.ts';

/** A change of a tenant's mappings: one made, one changed into another, or one deleted. */
export interface MappingChange {
  readonly mapping: IdentityMappingRequest | undefined;
  readonly replaced: IdentityMapping | undefined;
}

/** The mappings as a change would leave them; `all` in order. */
export const applyMappingChange = (
  all: readonly IdentityMapping[],
  { mapping, replaced }: MappingChange,
  defaults: Pick<MappingDefaults, 'id' | 'at' | 'by'>,
): IdentityMapping[] => {
  const others = all.filter(({ id }) => id !== replaced?.id);
  if (mapping === undefined) return others;
  const changed = buildMapping(mapping, {
    ...defaults,
    id: replaced?.id ?? defaults.id,
    position: replaced?.position ?? nextPosition(all.at(-1)?.position ?? 0),
    // It would apply from now on, and so to nothing that a dry run can look at.
    effectiveFrom: replaced?.effective_from ?? new Date(0).toISOString(),
  });
  return [...others, changed];
};

type Assignee = DryRun['changes'][number]['before'];

interface Outcome {
  readonly id: string;
  readonly before: Assignee;
  readonly after: Assignee;
}

/**
 * Whom a record names, and whom it would through the change alone: what the mappings as they are would say otherwise
 * than the record, as it was made before them, is no doing of the change.
 */
const outcomeOf = (
  attribution: Attribution,
  current: CompiledMappings,
  changed: CompiledMappings,
): Outcome => {
  const { id, owner, service, output_state } = attribution.record;
  const before = { owner, service };
  if (output_state === 'manually_overridden') return { id, before, after: before };
  const now = resolveWith(attribution, current);
  const then = resolveWith(attribution, changed);
  const after = {
    owner: then.owner === now.owner ? owner : then.owner,
    service: then.service === now.service ? service : then.service,
  };
  return { id, before, after };
};

type OwnerShift = DryRun['owners'][number];

/** Who has how many calls before and after, for those whose number changes; the largest changes first. */
const ownerShifts = (outcomes: readonly Outcome[]): OwnerShift[] => {
  const count = (named: readonly Assignee[]): ReadonlyMap<string | null, number> =>
    new Map([...Map.groupBy(named, ({ owner }) => owner)].map(([owner, own]) => [owner, own.length]));
  const before = count(outcomes.map((outcome) => outcome.before));
  const after = count(outcomes.map((outcome) => outcome.after));
  const size = (shift: OwnerShift): number => Math.abs(shift.invocations_after - shift.invocations_before);
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
  current: CompiledMappings,
  changed: CompiledMappings,
): Omit<DryRun, 'truncated'> => {
  const outcomes = attributions.map((attribution) => outcomeOf(attribution, current, changed));
  const changes = outcomes.filter(
    ({ before, after }) => before.owner !== after.owner || before.service !== after.service,
  );
  return {
    examined: outcomes.length,
    changed: changes.length,
    changes: changes
      .slice(0, DRY_RUN_LISTED_MAXIMUM)
      .map(({ id, before, after }) => ({ attribution_id: id, before, after })),
    owners: ownerShifts(outcomes).slice(0, DRY_RUN_LISTED_MAXIMUM),
  };
};
