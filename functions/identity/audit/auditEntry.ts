import type { AuditEntry } from '../../../schemas/identity/audit.ts';
import type { ErrorCode } from '../../../schemas/problems.ts';
import type { AuditContext } from '../../platform/http/auditContext.ts';
import { idOf } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';

/**
 * Builds an audit entry. `resource` is the id of the affected resource, `changed` what was done to it, `refusal` the error
 * code of a refused call, and `refusedHost` the host of a refused URL.
 */
export const buildAuditEntry = (
  { ulid, tag, action, operation, actor, sourceIp, traceId }: AuditContext,
  result: {
    readonly resource: string | null;
    readonly changed?: Pick<AuditEntry, 'changes' | 'more_changes'>;
    readonly refusal?: ErrorCode;
    readonly refusedHost?: string | null;
  },
): AuditEntry => ({
  id: idOf('aud', tag, ulid),
  at: toIso(timeOfUlid(ulid)),
  action,
  actor,
  resource: result.resource,
  ...(operation !== undefined && { operation }),
  outcome: result.refusal === undefined ? 'succeeded' : 'refused',
  error_code: result.refusal ?? null,
  refused_host: result.refusedHost ?? null,
  source_ip: sourceIp,
  trace_id: traceId,
  ...(result.changed ?? { changes: [], more_changes: 0 }),
});
