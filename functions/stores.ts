import type { AuditAction } from '../schemas/identity/audit.ts';
import type { RouteShape } from '../schemas/routes/route.ts';
import type * as providers from './entries/stores/index.ts';
import type { ProviderName, StoresFrom } from './entries/stores/provider.ts';

/** `audit.append` follows from the audit action of a route. */
type NeedsOf<R extends RouteShape> =
  | R['needs'][number]
  | (R['audit'] extends AuditAction ? 'audit.append' : never);

/** The stores that a handler receives: those of the needs of its route. Needs that only permit something have none. */
export type StoresOf<R extends RouteShape> = StoresFrom<
  Pick<typeof providers, ProviderName<NeedsOf<R>> & keyof typeof providers>
>;
