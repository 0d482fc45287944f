import { coldUntil } from '../../ledger/archive/hotDays.ts';
import type { ArchivedVersions } from '../../ledger/archive/reading/archivedVersions.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import { once } from './provider.ts';

/**
 * The versions in the archive of an environment. Loaded on first use, because most invocations read no cold day. It is no
 * store of its own: operations read it through the ledger.
 */
export const archiveIn = /* @__PURE__ */ once((environment): ArchivedVersions => {
  const { clock } = environment;
  let opened: Promise<ArchivedVersions> | undefined;
  const open = (): Promise<ArchivedVersions> => {
    opened ??= import('./openArchive.ts').then(({ openArchive }) => openArchive(environment));
    return opened;
  };
  const isCold = (time: number): boolean => time <= coldUntil(clock());
  return {
    isCold,
    read: async (...request) => (await open()).read(...request),
    records: async (...request) => (await open()).records(...request),
    has: async (tenantId, ulid) => isCold(timeOfUlid(ulid)) && (await open()).has(tenantId, ulid),
  };
});
