import { RejectedStatement } from '../../../../schemas/attribution/observation.ts';
import { claimsIn, REJECTED, readClaims } from './dedupClaimRow.store.ts';

export interface DedupClaimReader {
  /** ULID of an invocation's record; null when the invocation does not exist. The record may not be written yet. */
  readonly recordOf: (tenantId: string, invocationUlid: string) => Promise<string | null>;
  /** The last rejected statement of each party about the record of an invocation. */
  readonly rejectedStatements: (tenantId: string, invocationUlid: string) => Promise<RejectedStatement[]>;
}

export const dedupClaimReader = (table: string): DedupClaimReader => ({
  recordOf: async (tenantId, invocationUlid) => {
    const row = await readClaims(table, tenantId, invocationUlid);
    if (row === undefined) return null;
    const [first, ...others] = claimsIn(row);
    return (others.find(({ party }) => party === null) ?? first)?.record ?? null;
  },
  rejectedStatements: async (tenantId, invocationUlid) =>
    Object.entries((await readClaims(table, tenantId, invocationUlid)) ?? {})
      .filter(([name]) => name.startsWith(REJECTED))
      .map(([, { S = '{}' }]) => RejectedStatement.parse(JSON.parse(S))),
});
