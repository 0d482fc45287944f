import type { Observation } from './observation.ts';

/** Feature space after hashing: some 15 features of a call share it with those of all others (Weinberger et al. 2009). */
export const BUCKETS = 2 ** 15;

/** Parent of features that refine nothing: the call itself. */
export const ROOT = -1;

/** Numbers a feature takes in {@link Features.refinements}. */
export const STRIDE = 3;

/**
 * A call as features that refine one another: the octave of its input by the quarter octave, that by the exact length.
 * Each level then adds only what the coarser one does not say, so that no fact counts twice in naive Bayes.
 */
export interface Features {
  /** For each feature its bucket, the bucket it refines or ROOT, and how many calls the background weighs against it. */
  readonly refinements: Int32Array;
  /** For each field that names somebody, hashes of its values: whoever was never seen cannot be inferred. */
  readonly identities: readonly Identity[];
}

export interface Identity {
  readonly field: string;
  readonly hashes: readonly number[];
}

/** A few calls decide a name that is always the same; sizes scatter and drift, so they take more (measured). */
const NAME_STRENGTH = 1;
const SIZE_STRENGTH = 10;

/** FNV-1a over UTF-16 units, from a state, so that levels of a chain need no strings of their own. */
const hashed = (text: string, from = 0x811c9dc5): number => {
  let state = from;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(state ^ 0x1f, 0x01000193);
};

/** Spreads the state over all bits (finaliser of MurmurHash3), of which the lowest name the bucket. */
const spread = (state: number): number => {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

const bucketOf = (state: number): number => spread(state) % BUCKETS;

/** Steps in which a size is told: octaves, then quarters and sixteenths of them, then the very number. */
const SIZE_STEPS = [1, 4, 16] as const;

/** The features of a call. */
export const featuresOf = (seen: Observation): Features => {
  const refinements: number[] = [];
  const refine = (parent: number, state: number, strength: number): number => {
    const bucket = bucketOf(state);
    refinements.push(bucket, parent, strength);
    return bucket;
  };

  /** Values that each refine the one before; those that were not sent are left out. */
  const names = (field: string, values: readonly (string | undefined)[]): void => {
    let [parent, state] = [ROOT, hashed(field)];
    for (const value of values) {
      if (value === undefined) continue;
      state = hashed(value, state);
      parent = refine(parent, state, NAME_STRENGTH);
    }
  };

  const size = (field: string, value: number | undefined, steps: readonly number[], exact: boolean): void => {
    if (value === undefined) return;
    const octaves = Math.log2(value + 1);
    let [parent, state] = [ROOT, hashed(field)];
    for (const step of steps) {
      state = Math.imul(state ^ (Math.floor(octaves * step) + 1), 0x01000193);
      parent = refine(parent, state, SIZE_STRENGTH);
    }
    if (exact) refine(parent, Math.imul(state ^ (value + 1), 0x01000193), SIZE_STRENGTH);
  };

  names('model', [seen.provider, seen.requested_model, seen.served_model]);
  names('operation', [seen.operation]);
  names('layer', [seen.ingestion_layer]);
  names('pathway', [seen.pathway_category]);
  names('region', [seen.region]);
  names('tier', [seen.service_tier]);
  names('batch', [seen.batch === undefined ? undefined : String(seen.batch)]);
  names('status', [seen.status]);
  names('source', [seen.source_system]);
  names('key', [seen.api_key_name]);
  names('workload', [seen.k8s_cluster, seen.k8s_namespace, seen.k8s_workload]);
  names('spiffe', [seen.spiffe_id]);
  for (const tag of new Set(seen.tags)) names('tag', [tag]);
  size('input', seen.input_tokens, SIZE_STEPS, true);
  size('output', seen.output_tokens, SIZE_STEPS, true);
  size('cached', seen.cached_input_tokens, [1, 4], false);
  size('reasoning', seen.reasoning_tokens, [1, 4], false);
  size('latency', seen.latency_ms, [1, 4], false);
  return { refinements: Int32Array.from(refinements), identities: identitiesOf(seen) };
};

const identitiesOf = (seen: Observation): Identity[] =>
  [
    { field: 'source', values: [seen.source_system] },
    { field: 'key', values: [seen.api_key_name] },
    { field: 'namespace', values: [seen.k8s_namespace] },
    { field: 'workload', values: [seen.k8s_workload] },
    { field: 'spiffe', values: [seen.spiffe_id] },
    { field: 'tags', values: seen.tags ?? [] },
  ].flatMap(({ field, values }) => {
    const hashes = values
      .filter((value) => value !== undefined)
      .map((value) => spread(hashed(value, hashed(field))));
    return hashes.length === 0 ? [] : [{ field, hashes }];
  });
