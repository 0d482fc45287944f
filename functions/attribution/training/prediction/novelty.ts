import type { Features } from './features.ts';

/** Identity values of labelled calls, by field. */
export type Identities = Map<string, FieldIdentities>;

interface FieldIdentities {
  readonly hashes: Set<number>;
  /** Number of calls with values in this field, and number of calls whose values were all new. */
  calls: number;
  novelCalls: number;
}

/** Adds the identity values of a labelled call. */
export const recordIdentities = (known: Identities, { identities }: Features): void => {
  for (const { field, hashes } of identities) {
    const identities = known.get(field) ?? { hashes: new Set(), calls: 0, novelCalls: 0 };
    known.set(field, identities);
    identities.calls += 1;
    if (!hashes.some((hash) => identities.hashes.has(hash))) identities.novelCalls += 1;
    for (const hash of hashes) identities.hashes.add(hash);
  }
};

/** Known hashes by field. Leaves out fields with mostly new values, because these identify calls, not callers. */
export const knownHashesByField = (known: Identities): Map<string, ReadonlySet<number>> =>
  new Map(
    [...known]
      .filter(([, { calls, novelCalls }]) => novelCalls * 2 <= calls)
      .map(([field, { hashes }]) => [field, hashes] as const),
  );

/** Whether all values of a field are unknown. The caller is then probably a new service. */
export const isNovelCaller = (
  known: ReadonlyMap<string, ReadonlySet<number>>,
  { identities }: Features,
): boolean =>
  identities.some(({ field, hashes }) => {
    const identities = known.get(field);
    return identities !== undefined && !hashes.some((hash) => identities.has(hash));
  });
