import type { Granularity } from '../../../../schemas/chargeback/focus.ts';
import { type CohortField, MIXED } from '../../../../schemas/insight/reports.ts';
import { isTagField, type TagField, tagKeyOf } from '../../../../schemas/tenants/costAllocationTags.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { answerStateOf } from '../../../ledger/cohorts/answerState.ts';
import type { ShownCohort } from '../../../ledger/cohorts/cohortIndex.ts';
import type { LineKey } from './line.ts';

type Labels = ShownCohort['labels'];

/** Dimensions of lines in addition to the price. */
export interface Grain {
  readonly granularity: Granularity;
  readonly groupBy: ReadonlySet<CohortField | TagField>;
}

/** Placeholder for providers, models, price lists and methods that are not told apart. */
export const SEVERAL = 'several';

/** The price of a row that tells no model, meter or price list. Its amount is the cost of the row, known after the merge. */
export const TOTAL_PRICE: LineKey['price'] = {
  meter: 'total',
  per: 'each',
  unit: '0',
  listUnit: null,
  list: SEVERAL,
  terms: 'stated',
};

/** The level that remains of a cohort whose labels are suppressed. Null when all labels of the row are shown. */
const rollupOf = (labels: Labels, { groupBy }: Grain): LineKey['rollup'] => {
  const { owner, service, provider, served_model, pathway_category, region } = labels;
  const isShown =
    (!groupBy.has('owner') || owner !== undefined) &&
    (!groupBy.has('service') || service !== undefined) &&
    (!groupBy.has('pathway_category') || pathway_category !== undefined) &&
    (!groupBy.has('region') || region !== undefined) &&
    provider !== undefined &&
    served_model !== undefined;
  if (isShown)
    return [...groupBy].every((field) => !isTagField(field) || labels[field] !== undefined) ? null : 'Group';
  if (groupBy.has('service') && service !== undefined) return 'Service';
  return provider === undefined ? 'Tenant' : 'Provider';
};

/** Members that rows have in `Tags` besides those of tags. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['owner', 'pathway', 'service']);

/** The name of the member of `Tags` with the values of a tag. */
export const tagMember = (key: string): string => (OWN_MEMBERS.has(key) ? `tag:${key}` : key);

/** The members of `Tags` for the tags that rows are grouped by, sorted. A call without the tag, or with a hidden one, has none. */
const tagMembersOf = (labels: Labels, { groupBy }: Grain): string | null => {
  const members = [...groupBy].filter(isTagField).flatMap((field) => {
    const value = labels[field] ?? null;
    return value === null ? [] : [`${JSON.stringify(tagMember(tagKeyOf(field)))}:${JSON.stringify(value)}`];
  });
  return members.length === 0 ? null : members.sort().join();
};

export type ShownDimensions = Pick<
  LineKey,
  | 'owner'
  | 'ownerState'
  | 'service'
  | 'serviceState'
  | 'provider'
  | 'model'
  | 'servedModel'
  | 'pathway'
  | 'region'
  | 'tags'
  | 'rollup'
>;

/** Only a confirmed name is charged. A name that is not sure enough is that of nobody. */
const assignmentOf = (member: 'owner' | 'service', labels: Labels, { groupBy }: Grain) => {
  const name = labels[member];
  if (!groupBy.has(member)) return { name: null, state: null };
  if (name === null) return { name: null, state: 'unassigned' as const };
  const state = name === undefined ? MIXED : answerStateOf({ labels }, member);
  if (state === MIXED) return { name: null, state: 'hidden' as const };
  return state === 'confirmed'
    ? { name: name ?? null, state: 'confirmed' as const }
    : { name: null, state: 'unassigned' as const };
};

/**
 * The dimensions of a row, from the labels under which reports show its calls. Suppressed labels, and those that are not in
 * `groupBy`, are null.
 */
export const shownDimensionsOf = (labels: Labels, grain: Grain): ShownDimensions => {
  const { groupBy } = grain;
  const { provider, served_model, pathway_category, region = null } = labels;
  const [owner, service] = [assignmentOf('owner', labels, grain), assignmentOf('service', labels, grain)];
  const identity = modelIdentity(provider ?? SEVERAL, served_model ?? SEVERAL);
  // FOCUS represents an unknown value only as an empty cell.
  const pathway = pathway_category === 'unknown' ? null : (pathway_category ?? null);
  return {
    owner: owner.name,
    ownerState: owner.state,
    service: service.name,
    serviceState: service.state,
    provider: identity.provider,
    model: identity.model,
    servedModel: served_model ?? SEVERAL,
    pathway: groupBy.has('pathway_category') ? pathway : null,
    region: groupBy.has('region') ? region : null,
    tags: tagMembersOf(labels, grain),
    rollup: rollupOf(labels, grain),
  };
};
