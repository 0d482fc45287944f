import type { Features } from './features.ts';

/** Identity values of labelled calls, by field. */
export type Identities = Map<string, FieldIdentities>;

interface FieldIdentities {
  /** Each hash with the number of the label whose calls alone have it. Null: calls of several labels have it. */
  readonly hashes: Map<number, number | null>;
  /** Number of calls with values in this field, and number of calls whose values were all new. */
  calls: number;
  novelCalls: number;
}

/** Adds the identity values of a call with a label. */
export const recordIdentities = (known: Identities, { identities }: Features, label: number): void => {
  for (const { field, hashes } of identities) {
    const identities = known.get(field) ?? { hashes: new Map(), calls: 0, novelCalls: 0 };
    known.set(field, identities);
    identities.calls += 1;
    if (!hashes.some((hash) => identities.hashes.has(hash))) identities.novelCalls += 1;
    for (const hash of hashes) {
      const other = identities.hashes.get(hash);
      identities.hashes.set(hash, other === undefined || other === label ? label : null);
    }
  }
};

/** Known hashes by field. Leaves out fields with mostly new values, because these identify calls, not callers. */
export const knownHashesByField = (known: Identities): Map<string, ReadonlyMap<number, number | null>> =>
  new Map(
    [...known]
      .filter(([, { calls, novelCalls }]) => novelCalls * 2 <= calls)
      .map(([field, { hashes }]) => [field, hashes] as const),
  );

/** Whether all values of a field are unknown. The caller is then probably a new service. */
export const isNovelCaller = (
  known: ReadonlyMap<string, Pick<ReadonlySet<number>, 'has'>>,
  { identities }: Features,
): boolean =>
  identities.some(({ field, hashes }) => {
    const identities = known.get(field);
    return identities !== undefined && !hashes.some((hash) => identities.has(hash));
  });

/** Whether the caller would be novel if no call of a label were known. */
export const isNovelWithout = (
  label: number,
  known: ReadonlyMap<string, ReadonlyMap<number, number | null>>,
  features: Features,
): boolean => {
  const others = [...known].map(
    ([field, hashes]) =>
      [field, { has: (hash: number) => hashes.has(hash) && hashes.get(hash) !== label }] as const,
  );
  return isNovelCaller(new Map(others), features);
};
