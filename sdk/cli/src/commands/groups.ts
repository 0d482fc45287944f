import type { UsageTotals } from '../../../typescript/src/index.ts';
import type { Column } from '../table.ts';
import { shown } from '../text.ts';

/** Fields of the contract. Besides them there are the cost allocation tags of the tenant, such as `tag:env`. */
export const COHORT_GROUPS = ['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region'];
const TAG = 'tag:';

/** The members that name the group of a row of a report. */
export interface GroupRow {
  readonly kind: 'group' | 'folded' | 'other';
  readonly tags?: Readonly<Record<string, string | null>> | undefined;
}

/** The name of a group. A member that is absent was merged; one that is null is not attributed. */
const groupOf = (row: GroupRow, group: string): string => {
  const members: Readonly<Record<string, unknown>> = group.startsWith(TAG) ? { ...row.tags } : { ...row };
  const value = members[group.startsWith(TAG) ? group.slice(TAG.length) : group];
  if (value === undefined) return row.kind === 'other' ? '(other)' : '(suppressed)';
  return value === null ? '(not attributed)' : String(value);
};

/** One column for each field that a report is grouped by. */
export const groupColumns = <Row extends GroupRow>(groups: readonly string[]): readonly Column<Row>[] =>
  groups.map((group) => ({
    title: group.startsWith(TAG) ? group : group.toUpperCase(),
    value: (row: Row) => groupOf(row, group),
  }));

/** Calls with an unknown amount beside the sum: they are in no sum, and are not zero. */
export const unknownBeside = (amount: string | null, unknown: number): string =>
  unknown === 0 || amount === null ? '' : ` + ${unknown} unknown`;

/** One amount, or a range of which suppression hides the rest. */
export const rangeText = (least: string | number, most: string | number): string =>
  least === most ? shown(least) : `${shown(least)} to ${shown(most)}`;

const OWNER_STATES = ['confirmed', 'provisional', 'allocated', 'unassigned', 'mixed'] as const;

/** What a total is worth for owners: only what is confirmed can be charged to them. */
export const ownersLine = (states: UsageTotals['owner_states']): string => {
  const parts = OWNER_STATES.flatMap((state) => {
    const { cost_usd: cost, unpriced_invocations: unpriced } = states[state] ?? {};
    if (cost === undefined || unpriced === undefined) return [];
    return `${shown(cost)}${unknownBeside(cost, unpriced)} ${state === 'mixed' ? 'hidden' : state}`;
  });
  return `By owner, USD: ${parts.join(', ') || 'no calls'}`;
};
