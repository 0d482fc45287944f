import type { Observation } from './observation.ts';

/** Calls a key must have been seen with before it says anything. */
const SUPPORT = 5;
/** Labels remembered for a key. */
const LABELS_MAXIMUM = 3;

const octave = (tokens: number | undefined, steps: number): string =>
  tokens === undefined ? '' : String(Math.floor(Math.log2(tokens + 1) * steps));

/** Keys of a call, the most specific first. */
export const keysOf = (seen: Observation): string[] => {
  const model = [seen.provider, seen.requested_model, seen.operation ?? ''];
  const workload = [seen.k8s_cluster, seen.k8s_namespace, seen.k8s_workload].map((part) => part ?? '');
  const named = [
    ['spiffe', seen.spiffe_id],
    ['workload', workload.join('\u0001').length > 2 ? workload.join('\u0001') : undefined],
    ['key', seen.api_key_name],
    ['tags', seen.tags?.length ? seen.tags.toSorted().join('\u0001') : undefined],
    ['source', seen.source_system],
  ].flatMap(([kind = '', value]) => (value === undefined ? [] : [`${kind}\u0000${value}`]));
  return [
    ...(named.length > 1 ? [named.join('\u0000')] : []),
    ...named,
    ['size', ...model, octave(seen.input_tokens, 4), octave(seen.output_tokens, 1)].join('\u0000'),
    ['input', ...model, octave(seen.input_tokens, 1)].join('\u0000'),
    ['model', ...model].join('\u0000'),
  ];
};

interface Tally {
  calls: number;
  readonly labels: Map<string, number>;
}

/** Counts of labels by key. */
export type Tallies = Map<string, Tally>;

/** What a key says: its labels, the most frequent first, with smoothed shares. */
export interface KeyShares {
  readonly calls: number;
  readonly labels: readonly { readonly label: string; readonly share: number }[];
}

/** Learns who made a call. */
export const tally = (tallies: Tallies, seen: Observation, label: string): void => {
  for (const key of keysOf(seen)) {
    let known = tallies.get(key);
    if (known === undefined) {
      known = { calls: 0, labels: new Map() };
      tallies.set(key, known);
    }
    known.calls += 1;
    known.labels.set(label, (known.labels.get(label) ?? 0) + 1);
  }
};

/** Laplace's rule: one call proves little. */
const sharesOf = ({ calls, labels }: Tally): KeyShares => ({
  calls,
  labels: [...labels]
    .sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1))
    .slice(0, LABELS_MAXIMUM)
    .map(([label, count]) => ({ label, share: (count + 1) / (calls + 2) })),
});

const supported = (tally: Tally | undefined): tally is Tally => tally !== undefined && tally.calls >= SUPPORT;

/** What the most specific key with enough support says. */
export const guess = (tallies: Tallies, seen: Observation): KeyShares | null => {
  for (const key of keysOf(seen)) {
    const known = tallies.get(key);
    if (supported(known)) return sharesOf(known);
  }
  return null;
};

/** All keys with enough support, the most supported first. */
export const supportedKeys = (tallies: Tallies): [string, KeyShares][] =>
  [...tallies]
    .filter(([, tally]) => supported(tally))
    .sort(([a, { calls: of }], [b, { calls: than }]) => than - of || (a < b ? -1 : 1))
    .map(([key, tally]) => [key, sharesOf(tally)]);
