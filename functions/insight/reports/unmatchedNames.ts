import type { FieldError } from '../../../schemas/fieldError.ts';
import { cohortFields } from '../../../schemas/insight/reports.ts';
import type { Labels } from '../../ledger/cohorts/cell.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { parseFilters } from '../../ledger/records/query/filter.ts';
import { missingName, nearestName } from '../../platform/shared/nearestName.ts';

/** A name in a query. */
interface Named {
  readonly parameter: string;
  readonly field: keyof Labels;
  readonly name: string;
}

const namesIn = (query: { readonly tags?: readonly string[] | undefined }): Named[] => [
  ...parseFilters(query, cohortFields)
    .filter(({ operator }) => operator !== 'exists')
    .flatMap(({ field, operator, values }) =>
      values.map((name) => ({ parameter: operator === 'eq' ? field : `${field}[${operator}]`, field, name })),
    ),
  ...(query.tags ?? []).map((tag) => {
    const separator = tag.indexOf(':');
    return {
      parameter: 'tags',
      field: `tag:${tag.slice(0, separator)}` as const,
      name: tag.slice(separator + 1),
    };
  }),
];

/**
 * The tag keys in `group_by` that no shown cohort has, each with the key that it is probably a misspelling of. A key of which nothing
 * is near can be one that only calls of other days have.
 */
const unmatchedKeys = (shown: readonly Cohort[], groupBy: readonly string[]): FieldError[] => {
  const keys = new Set(
    shown.flatMap(({ labels }) => Object.keys(labels).filter((name) => name.startsWith('tag:'))),
  );
  return groupBy
    .filter((name) => name.startsWith('tag:') && !keys.has(name))
    .flatMap((name) => {
      const suggestion = nearestName(name, [...keys]);
      const detail = 'No call that the report can show has this tag.';
      return suggestion === undefined ? [] : [{ parameter: 'group_by', detail, suggestion }];
    });
};

/**
 * The names in a query that no shown cohort has, each with the shown name that it is probably a misspelling of. A name that
 * suppression hides reads the same as one that does not exist, and is never suggested.
 */
export const unmatchedNames = (
  shown: readonly Cohort[],
  query: {
    readonly tags?: readonly string[] | undefined;
    readonly group_by?: readonly string[] | undefined;
  },
): FieldError[] => {
  if (shown.length === 0) return [];
  const names = namesIn(query).flatMap(({ parameter, field, name }) => {
    const missing = missingName(name, new Set(shown.flatMap(({ labels }) => labels[field] ?? [])));
    return missing === null
      ? []
      : [{ parameter, detail: 'No call that the report can show has this value.', ...missing }];
  });
  return [...names, ...unmatchedKeys(shown, query.group_by ?? [])];
};
