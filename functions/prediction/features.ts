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
const hashText = (text: string, from = 0x811c9dc5): number => {
  let state = from;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(state ^ 0x1f, 0x01000193);
};

/** Spreads the state over all bits (finaliser of MurmurHash3), of which the lowest name the bucket. */
const mixBits = (state: number): number => {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

const bucketOf = (state: number): number => mixBits(state) % BUCKETS;

/** Steps in which a size is told: octaves, then quarters and sixteenths of them, then the very number. */
const SIZE_STEPS = [1, 4, 16] as const;

/** The features of a call. */
export const featuresOf = (observation: Observation): Features => {
  const refinements: number[] = [];
  const refine = (parent: number, state: number, strength: number): number => {
    const bucket = bucketOf(state);
    refinements.push(bucket, parent, strength);
    return bucket;
  };

  /** Values that each refine the one before; those that were not sent are left out. */
  const addNames = (field: string, values: readonly (string | undefined)[]): void => {
    let [parent, state] = [ROOT, hashText(field)];
    for (const value of values) {
      if (value === undefined) continue;
      state = hashText(value, state);
      parent = refine(parent, state, NAME_STRENGTH);
    }
  };

  const addSize = (
    field: string,
    value: number | undefined,
    steps: readonly number[],
    exact: boolean,
  ): void => {
    if (value === undefined) return;
    const octaves = Math.log2(value + 1);
    let [parent, state] = [ROOT, hashText(field)];
    for (const step of steps) {
      state = Math.imul(state ^ (Math.floor(octaves * step) + 1), 0x01000193);
      parent = refine(parent, state, SIZE_STRENGTH);
    }
    if (exact) refine(parent, Math.imul(state ^ (value + 1), 0x01000193), SIZE_STRENGTH);
  };

  addNames('model', [observation.provider, observation.requested_model, observation.served_model]);
  addNames('operation', [observation.operation]);
  addNames('layer', [observation.ingestion_layer]);
  addNames('pathway', [observation.pathway_category]);
  addNames('region', [observation.region]);
  addNames('tier', [observation.service_tier]);
  addNames('batch', [observation.batch === undefined ? undefined : String(observation.batch)]);
  addNames('status', [observation.status]);
  addNames('source', [observation.source_system]);
  addNames('key', [observation.api_key_name]);
  addNames('workload', [observation.k8s_cluster, observation.k8s_namespace, observation.k8s_workload]);
  addNames('spiffe', [observation.spiffe_id]);
  for (const tag of new Set(observation.tags)) addNames('tag', [tag]);
  addSize('input', observation.input_tokens, SIZE_STEPS, true);
  addSize('output', observation.output_tokens, SIZE_STEPS, true);
  addSize('cached', observation.cached_input_tokens, [1, 4], false);
  addSize('reasoning', observation.reasoning_tokens, [1, 4], false);
  addSize('latency', observation.latency_ms, [1, 4], false);
  return { refinements: Int32Array.from(refinements), identities: identitiesOf(observation) };
};

const identitiesOf = (observation: Observation): Identity[] =>
  [
    { field: 'source', values: [observation.source_system] },
    { field: 'key', values: [observation.api_key_name] },
    { field: 'namespace', values: [observation.k8s_namespace] },
    { field: 'workload', values: [observation.k8s_workload] },
    { field: 'spiffe', values: [observation.spiffe_id] },
    { field: 'tags', values: observation.tags ?? [] },
  ].flatMap(({ field, values }) => {
    const hashes = values
      .filter((value) => value !== undefined)
      .map((value) => mixBits(hashText(value, hashText(field))));
    return hashes.length === 0 ? [] : [{ field, hashes }];
  });
