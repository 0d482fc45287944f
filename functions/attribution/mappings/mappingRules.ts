import type { IdentityMapping, MappableField } from '../../../schemas/attribution/identityMapping.ts';
import { sha256Of } from '../../shared/hash.ts';
import { sortByEvaluationOrder } from './evaluationOrder.ts';
import {
  type CompiledCondition,
  compileCondition,
  type MappableFields,
  type MappableValues,
  mappableValuesOf,
  matchedValues,
  matchesCondition,
} from './mappingCondition.ts';

export type { MappableField } from '../../../schemas/attribution/identityMapping.ts';

/** A mapping made ready to be tried on many events. */
export interface MappingRule {
  readonly mapping: IdentityMapping;
  /** Place in the order of evaluation. */
  readonly rank: number;
  /** Epoch milliseconds; it applies to calls from then on. */
  readonly from: number;
  /** Cheapest first. */
  readonly conditions: readonly CompiledCondition[];
}

/** A tenant's mappings, ready for its events. */
export interface CompiledMappings {
  /** Of what decides: the same mappings in the same order have the same one, whatever they are called. Null for none. */
  readonly version: string | null;
  /** By the one exact condition that tells a rule from the most others: only an event with that value is held against it. */
  readonly indexed: ReadonlyMap<string, readonly MappingRule[]>;
  /** Rules without an exact condition: every event is held against them. */
  readonly unindexed: readonly MappingRule[];
}

/** What a mapping says of an event it matches. */
export interface MatchedMapping {
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
  readonly service?: string;
  /** Written for exactly these values: no condition of it is a pattern. */
  readonly exact: boolean;
  /** What its conditions read, each once. */
  readonly fields: readonly MappableField[];
  /** The values that made them hold, by the event's own names. */
  readonly saw: Record<string, string>;
}

const COST = { exact: 0, prefix: 1, glob: 2 } as const;
const VERSION_DIGITS = 12;

const mappingsVersion = (ordered: readonly IdentityMapping[]): string | null => {
  if (ordered.length === 0) return null;
  const content = ordered.map(({ id, conditions, owner, service, effective_from }) => [
    id,
    conditions.map(({ field, operator, value }) => [field, operator, value]),
    owner ?? null,
    service ?? null,
    Date.parse(effective_from),
  ]);
  const digest = sha256Of('mappings', JSON.stringify(content)).toString('hex');
  return `mappings-${digest.slice(0, VERSION_DIGITS)}`;
};

const keyOf = (field: MappableField, value: string): string => `${field}:${value}`;

const exactKeys = ({ conditions }: MappingRule): string[] =>
  conditions.filter(({ operator }) => operator === 'exact').map(({ field, value }) => keyOf(field, value));

/** Rules by anchor; those that have none under undefined. */
const groupByIndexKey = (rules: readonly MappingRule[]): Map<string | undefined, MappingRule[]> => {
  const ruleCounts = new Map<string, number>();
  for (const key of rules.flatMap(exactKeys)) ruleCounts.set(key, (ruleCounts.get(key) ?? 0) + 1);
  const ruleCount = (key: string): number => ruleCounts.get(key) ?? 0;
  return Map.groupBy(rules, (rule) => {
    const [rarest] = exactKeys(rule).sort((one, other) => ruleCount(one) - ruleCount(other));
    return rarest;
  });
};

/** A tenant's mappings, given in any order. */
export const compileMappings = (mappings: readonly IdentityMapping[]): CompiledMappings => {
  const ordered = sortByEvaluationOrder(mappings);
  const rules = ordered.map(
    (mapping, rank): MappingRule => ({
      mapping,
      rank,
      from: Date.parse(mapping.effective_from),
      conditions: mapping.conditions
        .map(compileCondition)
        .sort((one, other) => COST[one.operator] - COST[other.operator]),
    }),
  );
  const indexed = new Map<string, MappingRule[]>();
  let unindexed: readonly MappingRule[] = [];
  for (const [key, group] of groupByIndexKey(rules)) {
    if (key === undefined) unindexed = group;
    else indexed.set(key, group);
  }
  return { version: mappingsVersion(ordered), indexed, unindexed };
};

export const noMappings: CompiledMappings = compileMappings([]);

const matchesRule = (
  { conditions, from }: MappingRule,
  values: MappableValues,
  occurredAt: number,
): boolean => occurredAt >= from && conditions.every((condition) => matchesCondition(condition, values));

const toMatchedMapping = ({ mapping, conditions }: MappingRule, values: MappableValues): MatchedMapping => {
  const { id, name, owner, service } = mapping;
  return {
    id,
    name,
    ...(owner !== undefined && { owner }),
    ...(service !== undefined && { service }),
    exact: conditions.every(({ operator }) => operator === 'exact'),
    fields: [...new Set(mapping.conditions.map(({ field }) => field))],
    saw: matchedValues(conditions, values),
  };
};

/**
 * The mappings that match an event, in the order of evaluation; `occurredAt` is epoch milliseconds. The first that
 * names an owner is meant to decide the owner, and the first that names a service the service.
 */
export const matchMappings = (
  { indexed, unindexed }: CompiledMappings,
  fields: MappableFields,
  occurredAt: number,
): readonly MatchedMapping[] => {
  if (indexed.size + unindexed.length === 0) return [];
  const mappable = mappableValuesOf(fields);
  const found = unindexed.filter((rule) => matchesRule(rule, mappable, occurredAt));
  for (const [field, values] of mappable) {
    for (const value of values) {
      const candidates = indexed.get(keyOf(field, value)) ?? [];
      found.push(...candidates.filter((rule) => matchesRule(rule, mappable, occurredAt)));
    }
  }
  return found.sort((one, other) => one.rank - other.rank).map((rule) => toMatchedMapping(rule, mappable));
};
