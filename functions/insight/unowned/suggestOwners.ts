import {
  type OwnerSuggestion,
  SUGGESTION_BASES,
  SUGGESTIONS_MAXIMUM,
} from '../../../schemas/insight/unowned.ts';
import { type CompiledMappings, matchMappings } from '../../attribution/mappings/mappingRules.ts';
import { operationalConfidence } from '../../ledger/records/answers.ts';
import { ownerInTag } from './callValues.ts';
import type { OpenCall } from './openCalls.ts';
import { containsOwnerName } from './ownerName.ts';

/** Confirmed calls by owner. */
type CallsByOwner = ReadonlyMap<string, number>;

/** What suggestions are made from, besides the calls. */
export interface OwnerEvidence {
  readonly mappings: CompiledMappings;
  /** Owners that reports, mappings and confirmed records name. */
  readonly owners: readonly string[];
  /** The owners of the confirmed calls with a value. */
  readonly confirmedWith: (value: OpenCall['values'][number]) => CallsByOwner;
}

/** Digits of a mean confidence. */
const CONFIDENCE_DIGITS = 4;

const NOTHING_READ = { field: null, value: null, confidence: null } as const;

/** One suggestion for each owner that `ownerOf` finds in the calls. */
const countBy = (
  calls: readonly OpenCall[],
  ownerOf: (call: OpenCall) => Omit<OwnerSuggestion, 'calls' | 'of'> | null,
): OwnerSuggestion[] => {
  const found = calls.flatMap((call) => ownerOf(call) ?? []);
  return [...Map.groupBy(found, ({ owner }) => owner).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, calls: same.length, of: calls.length }];
  });
};

const fromMappings = (calls: readonly OpenCall[], mappings: CompiledMappings): OwnerSuggestion[] =>
  countBy(calls, ({ event }) => {
    // Also mappings that begin after the call.
    const match = matchMappings(mappings, event, Number.POSITIVE_INFINITY).find(
      ({ owner }) => owner !== undefined,
    );
    if (match?.owner === undefined) return null;
    const { owner, id, name } = match;
    return { owner, basis: 'mapping', ...NOTHING_READ, mapping: { id, name } };
  });

/** Owners of most of the confirmed calls with a value. A value that several owners share says nothing. */
const fromSharedValues = (
  calls: readonly OpenCall[],
  { confirmedWith }: OwnerEvidence,
): OwnerSuggestion[] => {
  const values = new Map(
    calls.flatMap(({ values: own }) => own).map((value) => [`${value.field}:${value.value}`, value]),
  );
  return [...values.values()].flatMap((value) => {
    const confirmed = confirmedWith(value);
    const of = [...confirmed.values()].reduce((sum, count) => sum + count, 0);
    const { field, value: text, basis } = value;
    return [...confirmed]
      .filter(([, count]) => 2 * count > of)
      .map(([owner, count]) => ({ owner, basis, field, value: text, calls: count, of, confidence: null }));
  });
};

/** The owner that the record shows without confirmation, or that its evidence names. */
const fromRules = (calls: readonly OpenCall[]): OwnerSuggestion[] =>
  countBy(calls, ({ record }) => {
    const { candidates } = record.interpretation.answers.owner;
    const stated = candidates.find(
      ({ evidence_basis: basis }) => basis !== 'model_inferred' && basis !== 'heuristic_baseline',
    );
    const owner = record.owner ?? stated?.name;
    return owner === undefined ? null : { owner, basis: 'rules', ...NOTHING_READ };
  });

const fromModel = (calls: readonly OpenCall[]): OwnerSuggestion[] => {
  const predictions = calls.flatMap(({ prediction }) => (prediction === undefined ? [] : [prediction]));
  const byOwner = Map.groupBy(predictions, ({ owner }) => owner);
  return [...byOwner].flatMap(([owner, same]) => {
    if (owner === null) return [];
    const isCalibrated = same.every(
      ({ advisory, basis, novel }) => !advisory && !novel && basis === 'model_inferred',
    );
    const mean = same.reduce((sum, prediction) => sum + operationalConfidence(prediction), 0) / same.length;
    const confidence = isCalibrated ? Number(mean.toFixed(CONFIDENCE_DIGITS)) : null;
    return [{ ...NOTHING_READ, owner, basis: 'model', calls: same.length, of: calls.length, confidence }];
  });
};

/** Known owners whose name is in a value of the calls. A tag such as `team:search` also names an unknown owner. */
const fromNames = (calls: readonly OpenCall[], owners: readonly string[]): OwnerSuggestion[] =>
  countBy(calls, ({ values }) => {
    for (const { field, value } of values) {
      const named = (field === 'tag' ? ownerInTag(value) : null) ?? value;
      const owner = owners.find((known) => containsOwnerName(named, known));
      if (owner !== undefined) return { owner, basis: 'name', field, value, confidence: null };
      if (field === 'tag' && named !== value)
        return { owner: named, basis: 'name', field, value, confidence: null };
    }
    return null;
  });

/** The share of the evidence that supports a suggestion. Ratios are compared as products, to stay exact. */
const bySupport = (one: OwnerSuggestion, other: OwnerSuggestion): number =>
  SUGGESTION_BASES.indexOf(one.basis) - SUGGESTION_BASES.indexOf(other.basis) ||
  other.calls * one.of - one.calls * other.of ||
  other.calls - one.calls ||
  (one.owner < other.owner ? -1 : 1);

/** Who may own these calls, the strongest basis first. Each owner is suggested once, for its strongest basis. */
export const suggestOwners = (calls: readonly OpenCall[], evidence: OwnerEvidence): OwnerSuggestion[] => {
  const all = [
    ...fromMappings(calls, evidence.mappings),
    ...fromSharedValues(calls, evidence),
    ...fromRules(calls),
    ...fromModel(calls),
    ...fromNames(calls, evidence.owners),
  ].toSorted(bySupport);
  const strongest = new Map<string, OwnerSuggestion>();
  for (const suggestion of all) {
    if (!strongest.has(suggestion.owner)) strongest.set(suggestion.owner, suggestion);
  }
  return [...strongest.values()].slice(0, SUGGESTIONS_MAXIMUM);
};
