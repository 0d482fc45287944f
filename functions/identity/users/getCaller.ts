import { getCaller } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { isoOrNull } from '../../platform/shared/time/toIso.ts';

export default operation(getCaller, async ({ caller, stores }) => {
  const { tenant, email, signedInAt } = caller;
  const user = email === null ? null : await stores.credentials.user(tenant.tag, email);
  return reply(200, {
    type: caller.kind,
    id: caller.principal,
    email,
    role: user?.role ?? null,
    scopes: [...caller.scopes].sort(),
    residency: caller.residency,
    signed_in_at: isoOrNull(signedInAt),
    tenant: { id: tenant.tenant_id, name: tenant.name, plan: tenant.plan, sandbox: tenant.sandbox === true },
  });
});
