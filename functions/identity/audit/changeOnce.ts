import type * as z from 'zod';
import type { AuditContext } from '../../platform/http/auditContext.ts';
import { type Claim, type Effect, effectOnce } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { AuditLog } from './audit.store.ts';
import type { DocumentChange } from './auditChanges.ts';
import { buildAuditEntry } from './auditEntry.ts';

/** What every audited mutation of a tenant has. */
export interface MutationCall {
  readonly caller: Caller;
  readonly claim: Claim;
  readonly auditContext: AuditContext;
  readonly stores: { readonly audit: AuditLog };
}

/**
 * An effect, the id of the resource that its audit entry names, and what changes in it. A null resource: nothing has
 * changed, so nothing is audited.
 */
export type AuditedEffect<Result> = Effect<Result> &
  ({ readonly resource: null } | ({ readonly resource: string } & DocumentChange));

/**
 * Carries out the effect of a mutation once, in one transaction with its audit entry. A retry gets the recorded result, and
 * decides and audits nothing.
 */
export const changeOnce = <Result>(
  { caller, claim, auditContext, stores }: MutationCall,
  shape: z.ZodType<Result>,
  decide: () => Promise<AuditedEffect<Result>>,
): Promise<{ readonly result: Result; readonly secret: string | null }> =>
  effectOnce(claim, shape, async () => {
    const decided = await decide();
    const { writes, result, secret = null } = decided;
    if (decided.resource === null) return { writes, result, secret };
    const { resource, before, after } = decided;
    // Loaded with the first change: functions start without the patterns of secrets.
    const { auditChanges } = await import('./auditChanges.ts');
    const entry = buildAuditEntry(auditContext, { resource, changed: auditChanges({ before, after }) });
    const write = stores.audit.append(caller.tenant.tenant_id, entry);
    return { writes: [...writes, write], result, secret };
  });
