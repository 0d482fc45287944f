import type { MappingCondition } from '../../../schemas/attribution/identityMapping.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { OwnerSuggestion } from '../../../schemas/insight/unowned.ts';

/** A value of a call that says something about its owner. */
export interface CallValue {
  readonly field: MappingCondition['field'];
  readonly value: string;
  readonly basis: OwnerSuggestion['basis'];
}

/** Keys of tags that name who pays, and keys that name no part of an organization. */
const OWNER_KEYS = new Set([
  'team',
  'owner',
  'squad',
  'department',
  'cost_center',
  'cost-center',
  'costcenter',
]);
const GENERAL_KEYS = new Set(['env', 'environment', 'stage', 'region', 'version', 'release', 'tier']);

const keyOf = (tag: string): string => tag.slice(0, Math.max(0, tag.indexOf(':'))).toLowerCase();

/** What a tag such as `team:search` says: its value. Null if its key does not name who pays. */
export const ownerInTag = (tag: string): string | null =>
  OWNER_KEYS.has(keyOf(tag)) ? tag.slice(tag.indexOf(':') + 1) : null;

/** The values of a call, from those that name one workload to those that many share. */
export const valuesOf = (event: InvocationEvent): CallValue[] => {
  const { attributed_service, spiffe_id, k8s_workload, k8s_namespace, api_key_name, source_system } = event;
  const tags = (event.tags ?? []).filter((tag) => !GENERAL_KEYS.has(keyOf(tag))).toSorted();
  const [owning, others] = [true, false].map((isOwning) =>
    tags.filter((tag) => (ownerInTag(tag) !== null) === isOwning),
  );
  const one = (
    field: CallValue['field'],
    value: string | undefined,
    basis: CallValue['basis'],
  ): CallValue[] => (value === undefined ? [] : [{ field, value, basis }]);
  const ofTags = (some: readonly string[] = []) => some.flatMap((tag) => one('tag', tag, 'tag'));
  return [
    ...one('service', attributed_service, 'service'),
    ...one('spiffe_id', spiffe_id, 'workload'),
    ...one('k8s_workload', k8s_workload, 'workload'),
    ...one('k8s_namespace', k8s_namespace, 'workload'),
    ...ofTags(owning),
    ...one('api_key_name', api_key_name, 'key_name'),
    ...ofTags(others),
    ...one('source_system', source_system, 'workload'),
  ];
};

/** The conditions of a mapping for calls with these values: the first one, a workload with its namespace. */
export const conditionsOf = (values: readonly CallValue[]): MappingCondition[] => {
  const [first] = values;
  if (first === undefined) return [];
  const chosen =
    first.field === 'k8s_workload'
      ? [first, ...values.filter(({ field }) => field === 'k8s_namespace')]
      : [first];
  return chosen.map(({ field, value }) => ({ field, operator: 'exact', value }));
};
