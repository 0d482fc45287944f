import type { CredentialLists } from '../../../identity/access/principals/credential.store.ts';
import { foldName } from '../../../platform/shared/foldName.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';

/** Clients of one read. */
const PAGE = 1_000;

/**
 * The client ids of the registered connectors of a tenant, by each name that belongs to them, folded: their name and their id. A
 * name that reads the same is theirs too.
 */
export const registeredConnectors = async (
  lists: Pick<CredentialLists, 'clients'>,
  { tag }: Pick<Tenant, 'tag'>,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const ids = new Map<string, string[]>();
  let after: string | undefined;
  for (;;) {
    const clients = await lists.clients(tag, { after, descending: false, limit: PAGE });
    for (const { client_id: id, name, source_systems: systems, deleted_at: deletedAt } of clients) {
      if (systems === undefined || deletedAt !== null) continue;
      for (const known of [name, id].map(foldName)) ids.set(known, [...(ids.get(known) ?? []), id]);
    }
    const last = clients.at(-1);
    if (last === undefined || clients.length < PAGE) return ids;
    after = ulidInId(last.client_id);
  }
};
