import type { IdentityMapping, MappableField } from '../../../schemas/attribution/identityMapping.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
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

/** A mapping compiled for many events. */
export interface MappingRule {
  readonly mapping: IdentityMapping;
  /** Index in the order of evaluation. */
  readonly rank: number;
  /** Epoch milliseconds. The rule applies to calls at or after it. */
  readonly from: number;
  /** Cheapest first. */
  readonly conditions: readonly CompiledCondition[];
}

/** A tenant's mappings, compiled for many events. */
export interface CompiledMappings {
  /**
   * Digest of everything that affects results: order, conditions, owner, service and time, but not names. Null without
   * mappings.
   */
  readonly version: string | null;
  /** Rules by their most selective exact condition. Only events with that value are tested against the rule. */
  readonly indexed: ReadonlyMap<string, readonly MappingRule[]>;
  /** Rules without an exact condition. Every event is tested against them. */
  readonly unindexed: readonly MappingRule[];
}

/** A mapping that matched an event. */
export interface MatchedMapping {
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
  readonly service?: string;
  /** Whether all its conditions are exact. */
  readonly exact: boolean;
  /** The distinct fields of its conditions. */
  readonly fields: readonly MappableField[];
  /** The values that matched the conditions, by event member. */
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

/** Groups rules by their rarest exact condition; rules without one are under undefined. */
const groupByIndexKey = (rules: readonly MappingRule[]): Map<string | undefined, MappingRule[]> => {
  const ruleCounts = new Map<string, number>();
  for (const key of rules.flatMap(exactKeys)) ruleCounts.set(key, (ruleCounts.get(key) ?? 0) + 1);
  const ruleCount = (key: string): number => ruleCounts.get(key) ?? 0;
  return Map.groupBy(rules, (rule) => {
    const [rarest] = exactKeys(rule).sort((one, other) => ruleCount(one) - ruleCount(other));
    return rarest;
  });
};

/** Compiles a tenant's mappings, given in any order. */
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
 * The mappings that match an event, in the order of evaluation. `occurredAt` is epoch milliseconds. The first one with an
 * owner decides the owner, and the first one with a service decides the service.
 */
export const matchMappings = (
  { indexed, unindexed }: CompiledMappings,
  fields: MappableFields,
  occurredAt: number,
): readonly MatchedMapping[] => {
  if (indexed.size + unindexed.length === 0) return [];
  const mappable = mappableValuesOf(fields);
  const matches = unindexed.filter((rule) => matchesRule(rule, mappable, occurredAt));
  for (const [field, values] of mappable) {
    for (const value of values) {
      const candidates = indexed.get(keyOf(field, value)) ?? [];
      matches.push(...candidates.filter((rule) => matchesRule(rule, mappable, occurredAt)));
    }
  }
  return matches.sort((one, other) => one.rank - other.rank).map((rule) => toMatchedMapping(rule, mappable));
};
