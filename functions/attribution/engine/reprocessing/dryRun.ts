import type { IdentityMapping } from '../../../../schemas/attribution/identityMapping.ts';
import {
  DRY_RUN_LISTED_MAXIMUM,
  type DryRun,
  type IdentityMappingRequest,
} from '../../../../schemas/routes/attribution/mappings.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { nextPosition } from '../../mappings/evaluationOrder.ts';
import { buildMapping, type MappingDefaults } from '../../mappings/mappingChanges.ts';
import type { CompiledMappings } from '../../mappings/mappingRules.ts';
import { resolveWith } from '../resolveWith.ts';

/** A change of a tenant's mappings: creates, replaces or deletes one mapping. */
export interface MappingChange {
  readonly mapping: IdentityMappingRequest | undefined;
  readonly replaced: IdentityMapping | undefined;
}

/** The mappings after a change. `all` must be in the order of evaluation. */
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
    // The default of new mappings is now. A dry run examines past records, so it would never match.
    effectiveFrom: replaced?.effective_from ?? toIso(0),
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
 * The owner and service of a record before and after the change. Only differences caused by the change count. A record
 * may be older than the current mappings and differ from what they give. Such differences are left out.
 */
const outcomeOf = (
  attribution: Attribution,
  current: CompiledMappings,
  changed: CompiledMappings,
): Outcome => {
  const { id, owner, service, output_state } = attribution.record;
  const before = { owner, service };
  if (output_state === 'manually_overridden') return { id, before, after: before };
  const underCurrent = resolveWith(attribution, current);
  const underChanged = resolveWith(attribution, changed);
  const after = {
    owner: underChanged.owner === underCurrent.owner ? owner : underChanged.owner,
    service: underChanged.service === underCurrent.service ? service : underChanged.service,
  };
  return { id, before, after };
};

type OwnerShift = DryRun['owners'][number];

/** Number of calls per owner before and after, for owners whose number changes; largest change first. */
const ownerShifts = (outcomes: readonly Outcome[]): OwnerShift[] => {
  const countByOwner = (assignees: readonly Assignee[]): ReadonlyMap<string | null, number> =>
    new Map([...Map.groupBy(assignees, ({ owner }) => owner)].map(([owner, group]) => [owner, group.length]));
  const before = countByOwner(outcomes.map((outcome) => outcome.before));
  const after = countByOwner(outcomes.map((outcome) => outcome.after));
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

/** Compares the attribution of records under the current and the changed mappings. Results keep the order of the records. */
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
