import type { Observation } from './observation.ts';

/** Calls that a key needs before it is used. */
const SUPPORT_MINIMUM = 5;
/** Most labels kept per key. */
const LABELS_MAXIMUM = 3;

const octave = (tokens: number | undefined, steps: number): string =>
  tokens === undefined ? '' : String(Math.floor(Math.log2(tokens + 1) * steps));

/** The keys of a call within its lane, most specific first. */
export const heuristicKeysOf = (observation: Observation): string[] => {
  const { lane } = observation;
  const keys = keysOf(observation);
  return lane === undefined ? keys : keys.map((key) => `lane\u0000${lane}\u0000${key}`);
};

const keysOf = (observation: Observation): string[] => {
  const model = [observation.provider, observation.requested_model, observation.operation ?? ''];
  const workload = [observation.k8s_cluster, observation.k8s_namespace, observation.k8s_workload].map(
    (part) => part ?? '',
  );
  const named = [
    ['spiffe', observation.spiffe_id],
    ['workload', workload.join('\u0001').length > 2 ? workload.join('\u0001') : undefined],
    ['key', observation.api_key_name],
    ['tags', observation.tags?.length ? observation.tags.toSorted().join('\u0001') : undefined],
    ['source', observation.source_system],
  ].flatMap(([kind = '', value]) => (value === undefined ? [] : [`${kind}\u0000${value}`]));
  return [
    ...(named.length > 1 ? [named.join('\u0000')] : []),
    ...named,
    ['size', ...model, octave(observation.input_tokens, 4), octave(observation.output_tokens, 1)].join(
      '\u0000',
    ),
    ['input', ...model, octave(observation.input_tokens, 1)].join('\u0000'),
    ['model', ...model].join('\u0000'),
  ];
};

interface KeyCounts {
  calls: number;
  readonly labels: Map<string, number>;
}

/** Label counts by key. */
export type CountsByKey = Map<string, KeyCounts>;

/** The labels of a key, most frequent first, with smoothed shares. */
export interface KeyShares {
  readonly calls: number;
  readonly labels: readonly { readonly label: string; readonly share: number }[];
}

/** Adds a labelled call to the counts of its keys. */
export const countCall = (counts: CountsByKey, observation: Observation, label: string): void => {
  for (const key of heuristicKeysOf(observation)) {
    let known = counts.get(key);
    if (known === undefined) {
      known = { calls: 0, labels: new Map() };
      counts.set(key, known);
    }
    known.calls += 1;
    known.labels.set(label, (known.labels.get(label) ?? 0) + 1);
  }
};

/** Shares smoothed by Laplace's rule of succession, because a few calls prove little. */
const smoothShares = ({ calls, labels }: KeyCounts): KeyShares => ({
  calls,
  labels: [...labels]
    .sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1))
    .slice(0, LABELS_MAXIMUM)
    .map(([label, count]) => ({ label, share: (count + 1) / (calls + 2) })),
});

const hasSupport = (counts: KeyCounts | undefined): counts is KeyCounts =>
  counts !== undefined && counts.calls >= SUPPORT_MINIMUM;

/** The shares of the call's most specific key with enough support. Null without one. */
export const findKeyShares = (counts: CountsByKey, observation: Observation): KeyShares | null => {
  for (const key of heuristicKeysOf(observation)) {
    const known = counts.get(key);
    if (hasSupport(known)) return smoothShares(known);
  }
  return null;
};

/** All keys with enough support, most supported first. */
export const supportedKeys = (countsByKey: CountsByKey): [string, KeyShares][] =>
  [...countsByKey]
    .filter(([, counts]) => hasSupport(counts))
    .sort(([a, { calls: of }], [b, { calls: than }]) => than - of || (a < b ? -1 : 1))
    .map(([key, counts]) => [key, smoothShares(counts)]);
