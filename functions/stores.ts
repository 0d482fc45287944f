import type { RouteShape } from '../schemas/routes/route.ts';
import type { Need } from '../schemas/stores.ts';
import type { KeySet, TokenSigner } from './access/signingKey.store.ts';
import type { CredentialReader } from './access/store.ts';
import type { CursorKey } from './attribution/cursorKey.store.ts';
import type { LedgerReader } from './attribution/store.ts';
import type { Probe } from './contract/store.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import type { AcceptedQueue } from './ingestion/store.ts';
import type { Limiter } from './limits/limiter.ts';
import type { TenantReader } from './tenancy/store.ts';

/** What a handler receives for each need its route declares. */
interface StoreFor {
  'ledger.read': { readonly ledger: LedgerReader };
  'tenants.read': { readonly tenants: TenantReader };
  'access.read': { readonly credentials: CredentialReader };
  'limits.read': { readonly limiter: Pick<Limiter, 'peek'> };
  'limits.charge': { readonly limiter: Limiter };
  'idempotency.claim': { readonly idempotency: IdempotencyStore };
  'accepted.send': { readonly accepted: AcceptedQueue };
  'tenants.probe': { readonly table: Probe };
  'accepted.probe': { readonly queue: Probe };
  'signing.sign': { readonly signer: TokenSigner };
  'signing.verify': { readonly keys: KeySet };
  'cursor.derive': { readonly cursorKey: CursorKey };
}

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The stores of a route: one for each of its needs, and no others. */
export type StoresOf<R extends RouteShape> = [R['needs'][number]] extends [never]
  ? Record<never, never>
  : Both<StoreFor[R['needs'][number] & keyof StoreFor & Need]>;
