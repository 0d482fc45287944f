import type { RecordVersion, VersionCause } from '../../../schemas/attribution/recordVersion.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';

type Part = (attribution: Attribution) => unknown;

/** What each cause changes. One that has others as a consequence comes first: a new span of a trace changes its rules. */
const CHANGES: readonly (readonly [VersionCause, Part])[] = [
  [
    'observation',
    ({ explanation, storedEvent }) => [
      explanation.observations,
      storedEvent.superseded,
      storedEvent.same_call,
    ],
  ],
  ['trace', ({ storedEvent }) => storedEvent.trace],
  // Not their version, which any mapping changes.
  ['rules', ({ explanation }) => explanation.rules],
  [
    'model',
    ({ record: { interpretation }, explanation }) => [
      interpretation.degradation_state,
      explanation.prediction,
    ],
  ],
  ['factors', ({ explanation: { cost, energy, carbon } }) => [cost, energy, carbon]],
];

const isChanged = (part: Part, one: Attribution, other: Attribution): boolean =>
  JSON.stringify(part(one)) !== JSON.stringify(part(other));

/** Why a version was written: the difference from the version before it, which is null if it is not stored. */
export const causeOf = (
  current: Attribution,
  previous: Attribution | null,
): Pick<RecordVersion, 'cause' | 'by' | 'reason'> => {
  if (current.record.version === 1) return { cause: 'recorded' };
  if (previous === null) return { cause: 'unknown' };
  const override = current.explanation.overrides?.at(-1);
  if (override !== undefined && override.id !== previous.explanation.overrides?.at(-1)?.id) {
    return { cause: 'override', by: override.by, reason: override.reason };
  }
  const { dispute } = current.record;
  if (dispute !== undefined && dispute.id !== previous.record.dispute?.id) {
    return { cause: 'dispute', by: dispute.opened_by, reason: dispute.reason };
  }
  const { confirmed_cost: confirmed } = current.storedEvent;
  if (confirmed !== undefined && confirmed.at !== previous.storedEvent.confirmed_cost?.at) {
    return { cause: 'confirmation', by: confirmed.by };
  }
  // An allocation ends as the consequence of another cause.
  const { allocation } = current.explanation;
  if (allocation !== undefined && isChanged(({ explanation }) => explanation.allocation, current, previous)) {
    return { cause: 'allocation' };
  }
  const [cause = 'unknown'] = CHANGES.find(([, part]) => isChanged(part, current, previous)) ?? [];
  return { cause };
};
