import type { Features } from './features.ts';

/** What labelled calls named somebody with, by field. */
export type Identities = Map<string, FieldIdentities>;

interface FieldIdentities {
  readonly hashes: Set<number>;
  /** Calls that named somebody there, and those of them that named nobody who was known before. */
  calls: number;
  novelCalls: number;
}

/** Remembers whom a labelled call named. */
export const recordIdentities = (known: Identities, { identities }: Features): void => {
  for (const { field, hashes } of identities) {
    const names = known.get(field) ?? { hashes: new Set(), calls: 0, novelCalls: 0 };
    known.set(field, names);
    names.calls += 1;
    if (!hashes.some((hash) => names.hashes.has(hash))) names.novelCalls += 1;
    for (const hash of hashes) names.hashes.add(hash);
  }
};

/** Hashes by field, of the fields that name anybody: one that mostly holds something new names calls, not callers. */
export const knownHashesByField = (known: Identities): Map<string, ReadonlySet<number>> =>
  new Map(
    [...known]
      .filter(([, { calls, novelCalls }]) => novelCalls * 2 <= calls)
      .map(([field, { hashes }]) => [field, hashes] as const),
  );

/** Whether a field names only those whom no labelled call named: a new service, most likely. */
export const isNovelCaller = (
  known: ReadonlyMap<string, ReadonlySet<number>>,
  { identities }: Features,
): boolean =>
  identities.some(({ field, hashes }) => {
    const names = known.get(field);
    return names !== undefined && !hashes.some((hash) => names.has(hash));
  });
