import type { AuditAction, AuditActor } from '../../../schemas/identity/audit.ts';
import { deterministicUlid } from '../shared/ids.ts';
import type { Exchange } from './exchange.ts';

/** The part of an audit entry that is known before the outcome of the call. */
export interface AuditContext {
  /** The ULID of the audit entry. Its time is the time of the call. */
  readonly ulid: string;
  readonly tag: string;
  readonly action: AuditAction;
  /** Names what was called, for the actions that stand for many operations. */
  readonly operation?: string;
  readonly actor: AuditActor;
  readonly sourceIp: string | null;
  readonly traceId: string | null;
}

/** The action of a call: that of its route, else what it reads or may not call. */
const subjectOf = ({ route, caller }: Exchange): Pick<AuditContext, 'action' | 'operation'> => {
  const { audit, operation, discloses } = route;
  if (audit !== undefined) return { action: audit };
  if (caller?.connector !== undefined) return { action: 'connector.access', operation };
  return { action: discloses === 'records' ? 'records.read' : 'access.denied', operation };
};

/**
 * The audit context of a call. Undefined if the caller is unknown. The ULID follows from the claim of the call and the
 * caller. So a retry records one entry, and a retry by another credential of the tenant does not replace the entry of the
 * first. A call refused before it has a claim records one each time.
 */
export const auditContextOf = (exchange: Exchange, kind = 'audit'): AuditContext | undefined => {
  const { caller, receivedAt, claim, sourceIp, trace, lambda } = exchange;
  if (caller === undefined) return undefined;
  return {
    ulid: deterministicUlid(
      kind,
      JSON.stringify([claim?.claim ?? lambda.awsRequestId, caller.principal]),
      receivedAt,
    ),
    tag: caller.tenant.tag,
    ...subjectOf(exchange),
    actor: { type: caller.kind, id: caller.principal },
    sourceIp,
    traceId: trace.traceId,
  };
};
