import type { FieldError } from '../../../schemas/fieldError.ts';
import { type BudgetScope, SCOPE_LABELS } from '../../../schemas/insight/budgets.ts';
import { missingName } from '../../platform/shared/nearestName.ts';

/** The labels of calls that a budget sees. Suppression hides some, and cohorts have no tags. */
export type KnownLabels = Readonly<
  Partial<Record<(typeof SCOPE_LABELS)[number], string | null | undefined>>
> & {
  readonly tags?: readonly string[];
};

const DETAIL = 'No call that the budget can count has this value, in its period or the weeks before.';

/**
 * The names in the scope of a budget that no call has, each with the name that it is probably a misspelling of. Empty while there
 * are no calls, which would make every name wrong.
 */
export const scopeWarnings = (
  { tags = [], ...names }: BudgetScope,
  calls: readonly KnownLabels[],
): FieldError[] => {
  if (calls.length === 0) return [];
  const warn = (pointer: string, name: string, known: readonly string[]): FieldError[] => {
    const missing = missingName(name, new Set(known));
    return missing === null ? [] : [{ pointer: `/scope/${pointer}`, detail: DETAIL, ...missing }];
  };
  return [
    ...SCOPE_LABELS.flatMap((member) => {
      const name = names[member];
      return name === undefined
        ? []
        : warn(
            member,
            name,
            calls.flatMap((labels) => labels[member] ?? []),
          );
    }),
    ...tags.flatMap((tag, index) =>
      warn(
        `tags/${index}`,
        tag,
        calls.flatMap((labels) => labels.tags ?? []),
      ),
    ),
  ];
};
