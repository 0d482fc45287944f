import * as z from 'zod';
import { ENDPOINTS_MAXIMUM } from '../../../schemas/webhooks.ts';
import {
  deleteDocument,
  listDocuments,
  NO_REVISION,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';
import { ulidInId } from '../../shared/ids.ts';
import { Authorization } from './authorization.ts';
import { EndpointState } from './endpointState.ts';

/** How long the tombstone of a deleted endpoint is kept: longer than an idempotency key is valid. */
const TOMBSTONE_SECONDS = 2 * 24 * 60 * 60;

/** A stored webhook endpoint. Secrets are encrypted (`seal.ts`). */
export const StoredEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  /** Subscribed types. May contain types of a later version. */
  events: z.array(z.string()),
  state: EndpointState,
  sealed_secrets: z.string(),
  /** The open challenge. Null when none is open. */
  sealed_challenge: z.string().nullable(),
  secret_rotated_at: z.iso.datetime().nullable(),
  /** Until when deliveries are also signed with the secret before the last rotation. */
  previous_secret_valid_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  created_by: z.string(),
  /** The principal whose scopes allow sending. Null for an endpoint of an earlier version, which may not be sent events. */
  authorized_by: Authorization.nullable().default(null),
});
export type StoredEndpoint = z.infer<typeof StoredEndpoint>;

/** The number of a tenant's endpoints. Every creation and deletion writes it, which serializes them. */
const Head = z.object({ count: z.int() });
type Head = z.infer<typeof Head>;

const partitionOf = (tenantId: string): string => `endpoint#${tenantId}`;
/** `id` is the id of an endpoint or the ULID of that id. */
const endpointKey = (tenantId: string, id: string) => ({ pk: partitionOf(tenantId), sk: ulidInId(id) });
const counterKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'endpoints' });
const deletedKey = (tenantId: string, id: string) => ({ pk: `deleted#${tenantId}`, sk: ulidInId(id) });

export interface EndpointReader {
  /** All endpoints of a tenant, in the order of their creation. */
  readonly endpointsOf: (tenantId: string) => Promise<StoredEndpoint[]>;
  /** `id` is the id of the endpoint or the ULID of that id. Null when the endpoint does not exist or was deleted. */
  readonly endpoint: (tenantId: string, id: string) => Promise<StoredEndpoint | null>;
}

export const endpointReader = (table: string): EndpointReader => ({
  endpointsOf: (tenantId) =>
    listDocuments(
      table,
      partitionOf(tenantId),
      { descending: false, limit: ENDPOINTS_MAXIMUM },
      StoredEndpoint,
    ),
  endpoint: (tenantId, id) => readDocument(table, endpointKey(tenantId, id), StoredEndpoint),
});

/** The store of the delivery worker. `replace` fails when another writer has changed the endpoint since `expected`. */
export interface EndpointStateStore extends EndpointReader {
  readonly versioned: (tenantId: string, id: string) => Promise<Versioned<StoredEndpoint> | null>;
  readonly replace: (tenantId: string, endpoint: StoredEndpoint, expected: Revision, by: Revision) => Write;
}

export const endpointStateStore = (table: string): EndpointStateStore => ({
  ...endpointReader(table),
  versioned: (tenantId, id) => readVersioned(table, endpointKey(tenantId, id), StoredEndpoint),
  replace: (tenantId, endpoint, expected, by) =>
    writeDocument(table, endpointKey(tenantId, endpoint.id), endpoint, { expectedRevision: expected, by }),
});

/** What a creation or deletion reads before it writes. */
export interface EndpointLookup {
  /** Null when the endpoint does not exist or was deleted. */
  readonly endpoint: StoredEndpoint | null;
  /** The tombstone: the endpoint before it was deleted. */
  readonly deleted: StoredEndpoint | null;
  readonly count: number;
  readonly head: Revision | null;
}

export interface EndpointWriter extends EndpointStateStore {
  /** Reads what a creation or deletion depends on. The revision is that of the endpoint or of its tombstone. */
  readonly find: (tenantId: string, id: string) => Promise<Versioned<EndpointLookup>>;
  readonly create: (
    tenantId: string,
    endpoint: StoredEndpoint,
    found: EndpointLookup,
    by: Revision,
  ) => readonly Write[];
  /** `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    endpoint: StoredEndpoint,
    found: EndpointLookup,
    at: { readonly by: Revision; readonly now: number },
  ) => readonly Write[];
}

export const endpointWriter = (table: string): EndpointWriter => {
  const putCount = (tenantId: string, count: number, { head }: EndpointLookup, by: Revision): Write =>
    writeDocument(table, counterKey(tenantId), { count } satisfies Head, { expectedRevision: head, by });

  return {
    ...endpointStateStore(table),
    find: async (tenantId, id) => {
      // The counter is read first. If the endpoint changes after this read, the conditional write of the counter fails.
      const head = await readVersioned(table, counterKey(tenantId), Head);
      const own = await readVersioned(table, endpointKey(tenantId, id), StoredEndpoint);
      const deleted =
        own === null ? await readVersioned(table, deletedKey(tenantId, id), StoredEndpoint) : null;
      return {
        document: {
          endpoint: own?.document ?? null,
          deleted: deleted?.document ?? null,
          count: head?.document.count ?? 0,
          head: head?.revision ?? null,
        },
        revision: own?.revision ?? deleted?.revision ?? NO_REVISION,
      };
    },
    create: (tenantId, endpoint, found, by) => [
      writeDocument(table, endpointKey(tenantId, endpoint.id), endpoint, { expectedRevision: null, by }),
      putCount(tenantId, found.count + 1, found, by),
    ],
    remove: (tenantId, endpoint, found, { by, now }) => {
      const ttl = Math.ceil(now / 1_000) + TOMBSTONE_SECONDS;
      return [
        deleteDocument(table, endpointKey(tenantId, endpoint.id)),
        // Fails if the tombstone exists, so that two concurrent deletions decrement the counter once.
        writeDocument(table, deletedKey(tenantId, endpoint.id), endpoint, {
          expectedRevision: null,
          by,
          ttl,
        }),
        putCount(tenantId, found.count - 1, found, by),
      ];
    },
  };
};
