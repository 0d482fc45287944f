import type * as z from 'zod';
import type { AuditContext } from '../../platform/http/auditContext.ts';
import { type Claim, type Effect, effectOnce } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { AuditLog } from './audit.store.ts';
import { buildAuditEntry } from './auditEntry.ts';

/** What every audited mutation of a tenant has. */
export interface MutationCall {
  readonly caller: Caller;
  readonly claim: Claim;
  readonly auditContext: AuditContext;
  readonly stores: { readonly audit: AuditLog };
}

/** An effect, and the id of the resource that its audit entry names. Null: nothing has changed, so nothing is audited. */
export type AuditedEffect<Result> = Effect<Result> & { readonly resource: string | null };

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
    const { writes, resource, ...effect } = await decide();
    if (resource === null) return { ...effect, writes };
    const entry = buildAuditEntry(auditContext, { resource });
    return { ...effect, writes: [...writes, stores.audit.append(caller.tenant.tenant_id, entry)] };
  });
