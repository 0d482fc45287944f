import type { FieldError } from '../../../schemas/fieldError.ts';
import { CostBreakdown, INVOCATION_EVENT_FIELDS } from '../../../schemas/ingest/invocationEvent.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';
import { nearestName } from '../../platform/shared/nearestName.ts';

const COST_FIELDS: ReadonlySet<string> = new Set(Object.keys(CostBreakdown.shape));
/** Most unknown members of an object that are compared with the known ones: a sender chooses how many there are. */
const COMPARED_MAXIMUM = 20;

export const misspeltIn = (value: unknown, known: ReadonlySet<string>, pointer: string): FieldError[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .slice(0, COMPARED_MAXIMUM)
    .flatMap((name) => {
      const suggestion = nearestName(name, [...known]);
      return suggestion === undefined
        ? []
        : [{ pointer: `${pointer}/${name}`, detail: 'No event has this member. It was dropped', suggestion }];
    });
};

/** {@link misspeltMembers} of the event itself, without those of its objects. */
export const misspeltNames = (sent: unknown): readonly FieldError[] =>
  misspeltIn(sent, INVOCATION_EVENT_FIELDS, '');

/**
 * Members that no event has, with a name near that of one that it can have: without it, the call has no cost or no owner. Other
 * unknown members belong to the producer and need no warning. A tenant is checked for itself.
 */
export const misspeltMembers = (sent: unknown): readonly FieldError[] => [
  ...misspeltNames(sent),
  ...misspeltIn(memberAt(sent, 'cost_breakdown'), COST_FIELDS, '/cost_breakdown'),
];
