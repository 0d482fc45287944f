import type { MappableField, MappingCondition } from '../../../schemas/attribution/identityMapping.ts';
import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { globMatcher } from './glob.ts';

/** The member of an event that each field stands for. */
const members = {
  identity: 'attributed_identity',
  service: 'attributed_service',
  spiffe_id: 'spiffe_id',
  k8s_namespace: 'k8s_namespace',
  k8s_workload: 'k8s_workload',
  k8s_cluster: 'k8s_cluster',
  api_key_name: 'api_key_name',
  source_system: 'source_system',
  tag: 'tags',
} as const satisfies Record<MappableField, keyof InvocationEvent>;

/** What mappings read of an event. */
export type MappableFields = Pick<InvocationEvent, (typeof members)[MappableField]>;

/** The same by field: nothing, one value, or the tags, each once. */
export type Sight = ReadonlyMap<MappableField, readonly string[]>;

const fields = Object.keys(members) as MappableField[];

export const sightOf = (event: MappableFields): Sight => {
  const sight = new Map<MappableField, readonly string[]>();
  for (const field of fields) {
    const value = event[members[field]];
    if (value === undefined) continue;
    sight.set(field, typeof value === 'string' ? [value] : [...new Set(value)]);
  }
  return sight;
};

/** A condition made ready to be tried on many events. */
export interface Condition extends MappingCondition {
  readonly accepts: (value: string) => boolean;
}

const acceptanceOf = ({ operator, value: wanted }: MappingCondition): Condition['accepts'] => {
  switch (operator) {
    case 'exact':
      return (value) => value === wanted;
    case 'prefix':
      return (value) => value.startsWith(wanted);
    case 'glob':
      return globMatcher(wanted);
  }
};

export const compileCondition = (condition: MappingCondition): Condition => ({
  ...condition,
  accepts: acceptanceOf(condition),
});

/** Whether an event has a value that the condition accepts. */
export const holds = ({ field, accepts }: Condition, sight: Sight): boolean =>
  sight.get(field)?.some(accepts) ?? false;

/** The values that made conditions hold, by the event's own names; several tags one behind the other. */
export const seenBy = (conditions: readonly Condition[], sight: Sight): Record<string, string> => {
  const seen: Record<string, string> = {};
  for (const [field, values] of sight) {
    const own = conditions.filter((condition) => condition.field === field);
    const accepted = values.filter((value) => own.some(({ accepts }) => accepts(value)));
    if (accepted.length > 0) seen[members[field]] = accepted.join(', ');
  }
  return seen;
};
