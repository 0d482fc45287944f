import type { MappableField, MappingCondition } from '../../../schemas/attribution/identityMapping.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { globMatcher } from './glob.ts';

/** The event member of each mapping field. */
const eventMembers = {
  identity: 'attributed_identity',
  end_user: 'end_user',
  service: 'attributed_service',
  spiffe_id: 'spiffe_id',
  k8s_namespace: 'k8s_namespace',
  k8s_workload: 'k8s_workload',
  k8s_cluster: 'k8s_cluster',
  api_key_name: 'api_key_name',
  source_system: 'source_system',
  tag: 'tags',
} as const satisfies Record<MappableField, keyof InvocationEvent>;

/** The event members that mappings read. */
export type MappableFields = Pick<InvocationEvent, (typeof eventMembers)[MappableField]>;

/** Values of an event by field: one value, or the distinct tags. Fields without a value are missing. */
export type MappableValues = ReadonlyMap<MappableField, readonly string[]>;

const fields = Object.keys(eventMembers) as MappableField[];

export const mappableValuesOf = (event: MappableFields): MappableValues => {
  const values = new Map<MappableField, readonly string[]>();
  for (const field of fields) {
    const value = event[eventMembers[field]];
    if (value === undefined) continue;
    values.set(field, typeof value === 'string' ? [value] : [...new Set(value)]);
  }
  return values;
};

/** A condition compiled for many events. */
export interface CompiledCondition extends MappingCondition {
  readonly accepts: (value: string) => boolean;
}

const compileOperator = ({ operator, value: pattern }: MappingCondition): CompiledCondition['accepts'] => {
  switch (operator) {
    case 'exact':
      return (value) => value === pattern;
    case 'prefix':
      return (value) => value.startsWith(pattern);
    case 'glob':
      return globMatcher(pattern);
  }
};

export const compileCondition = (condition: MappingCondition): CompiledCondition => ({
  ...condition,
  accepts: compileOperator(condition),
});

/** Whether an event has a value that the condition accepts. */
export const matchesCondition = ({ field, accepts }: CompiledCondition, values: MappableValues): boolean =>
  values.get(field)?.some(accepts) ?? false;

/** The values that matched the conditions, by event member. Several tags are joined with commas. */
export const matchedValues = (
  conditions: readonly CompiledCondition[],
  values: MappableValues,
): Record<string, string> => {
  const matched: Record<string, string> = {};
  for (const [field, fieldValues] of values) {
    const own = conditions.filter((condition) => condition.field === field);
    const accepted = fieldValues.filter((value) => own.some(({ accepts }) => accepts(value)));
    if (accepted.length > 0) matched[eventMembers[field]] = accepted.join(', ');
  }
  return matched;
};
