import type { Features } from './features.ts';

/** Values that named somebody in labelled calls, by field. */
export type Identities = Map<string, Set<number>>;

/** Remembers who a labelled call named. */
export const meet = (known: Identities, { identities }: Features): void => {
  for (const { field, hashes } of identities) {
    const met = known.get(field);
    if (met === undefined) known.set(field, new Set(hashes));
    else for (const hash of hashes) met.add(hash);
  }
};

/** Whether a field names only those whom no labelled call named: a new service, most likely. */
export const namesNobodyKnown = (known: Identities, { identities }: Features): boolean =>
  identities.some(({ field, hashes }) => {
    const met = known.get(field);
    return met !== undefined && !hashes.some((hash) => met.has(hash));
  });
