import type { Observation } from './observation.ts';

/** Calls a key must have been seen with before it says anything. */
const SUPPORT = 5;
/** Labels remembered for a key. */
const LABELS_MAXIMUM = 3;

const octave = (tokens: number | undefined, steps: number): string =>
  tokens === undefined ? '' : String(Math.floor(Math.log2(tokens + 1) * steps));

/** Keys of a call, the most specific first. */
export const heuristicKeysOf = (observation: Observation): string[] => {
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

/** Counts of labels by key. */
export type CountsByKey = Map<string, KeyCounts>;

/** What a key says: its labels, the most frequent first, with smoothed shares. */
export interface KeyShares {
  readonly calls: number;
  readonly labels: readonly { readonly label: string; readonly share: number }[];
}

/** Learns who made a call. */
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

/** Laplace's rule: one call proves little. */
const smoothShares = ({ calls, labels }: KeyCounts): KeyShares => ({
  calls,
  labels: [...labels]
    .sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1))
    .slice(0, LABELS_MAXIMUM)
    .map(([label, count]) => ({ label, share: (count + 1) / (calls + 2) })),
});

const hasSupport = (tally: KeyCounts | undefined): tally is KeyCounts =>
  tally !== undefined && tally.calls >= SUPPORT;

/** What the most specific key with enough support says. */
export const findKeyShares = (counts: CountsByKey, observation: Observation): KeyShares | null => {
  for (const key of heuristicKeysOf(observation)) {
    const known = counts.get(key);
    if (hasSupport(known)) return smoothShares(known);
  }
  return null;
};

/** All keys with enough support, the most supported first. */
export const supportedKeys = (tallies: CountsByKey): [string, KeyShares][] =>
  [...tallies]
    .filter(([, tally]) => hasSupport(tally))
    .sort(([a, { calls: of }], [b, { calls: than }]) => than - of || (a < b ? -1 : 1))
    .map(([key, tally]) => [key, smoothShares(tally)]);
