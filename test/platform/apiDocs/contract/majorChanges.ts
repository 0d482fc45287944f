import type { Json } from '../../../../functions/platform/apiDocs/reference/changes/change.ts';
import { contractChanges } from '../../../../functions/platform/apiDocs/reference/changes/compareDocuments.ts';

/** The changes that can break a client of the same major version. */
export const breakingChanges = (base: Json, next: Json): string[] =>
  contractChanges(base, next)
    .filter(({ bump }) => bump === 'major')
    .map(({ operation, at, change }) => `${operation} ${at}: ${change}`);
