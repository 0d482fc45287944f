import type { AuditAction, AuditActor } from '../../schemas/access/audit.ts';
import { deterministicUlid } from '../shared/ids.ts';
import type { Exchange } from './exchange.ts';

/** What a call tells the audit log, whatever comes of it. */
export interface AuditContext {
  /** Of the entry it becomes; its time is when it happened. */
  readonly ulid: string;
  readonly tag: string;
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly sourceIp: string | null;
  readonly traceId: string | null;
}

/**
 * What a call tells the audit log; undefined where its route names no action, or nobody is known to act.
 * Its id follows from the call's claim, so a retry tells it once; a refused call, which holds none, tells it each time.
 */
export const auditContextOf = (exchange: Exchange, kind = 'audit'): AuditContext | undefined => {
  const { route, caller, receivedAt, claim, gateway, trace, lambda } = exchange;
  if (route.audit === undefined || caller === undefined) return undefined;
  return {
    ulid: deterministicUlid(kind, claim?.claim ?? lambda.awsRequestId, receivedAt),
    tag: caller.tenant.tag,
    action: route.audit,
    actor: { type: caller.kind, id: caller.principal },
    sourceIp: gateway.requestContext.http.sourceIp,
    traceId: trace.traceId,
  };
};
