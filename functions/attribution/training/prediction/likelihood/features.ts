import type { Observation } from '../observation.ts';

/** Size of the hashed feature space (Weinberger et al. 2009). A call has about 15 features. */
export const BUCKETS = 2 ** 15;

/** Parent of features that refine no other feature. */
export const ROOT = -1;

/** Numbers per feature in {@link Features.refinements}. */
export const STRIDE = 3;

/**
 * The features of a call as chains of refinements: for example the octave of the input size, then the quarter octave, then
 * the exact size. Each level adds only the information that the coarser level lacks, so that naive Bayes counts no fact
 * twice.
 */
export interface Features {
  /** For each feature: its bucket, the bucket it refines or ROOT, and the strength of the prior in calls. */
  readonly refinements: Int32Array;
  /** Hashes of the values of identity fields. A caller with unknown identities cannot be inferred. */
  readonly identities: readonly Identity[];
  /** Undefined for the home lane. Only labels of the same lane are possible. */
  readonly lane: string | undefined;
}

export interface Identity {
  readonly field: string;
  readonly hashes: readonly number[];
}

/** Prior strengths in calls (measured). Names are stable, so few calls decide. Sizes vary and drift, so they need more. */
const NAME_STRENGTH = 1;
const SIZE_STRENGTH = 10;

/** FNV-1a over UTF-16 code units. It continues from a state, so a chain needs no concatenated strings. */
const hashText = (text: string, from = 0x811c9dc5): number => {
  let state = from;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(state ^ 0x1f, 0x01000193);
};

/** Finaliser of MurmurHash3: mixes all bits of the state, because the bucket uses only the lowest. */
const mixBits = (state: number): number => {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

const bucketOf = (state: number): number => mixBits(state) % BUCKETS;

/** Steps per octave of the refinement levels of a size. The exact size may follow as the last level. */
const SIZE_STEPS = [1, 4, 16] as const;

/** The features of a call. */
export const featuresOf = (observation: Observation): Features => {
  const refinements: number[] = [];
  const refine = (parent: number, state: number, strength: number): number => {
    const bucket = bucketOf(state);
    refinements.push(bucket, parent, strength);
    return bucket;
  };

  /** Adds a chain in which each value refines the one before. Missing values are skipped. */
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
  const { lane } = observation;
  return { refinements: Int32Array.from(refinements), identities: identitiesOf(observation), lane };
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
      .map((value) => mixBits(hashText(value, hashText(`${field}${observation.lane ?? ''}`))));
    return hashes.length === 0 ? [] : [{ field, hashes }];
  });
