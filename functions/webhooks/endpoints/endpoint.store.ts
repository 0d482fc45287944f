import * as z from 'zod';
import { ENDPOINTS_MAXIMUM } from '../../../schemas/webhooks.ts';
import {
  deleteDocument,
  listDocuments,
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

/** How long a deleted endpoint is remembered, in seconds: longer than a call may be repeated under its key. */
const DELETED_SECONDS = 2 * 24 * 60 * 60;

/** A webhook endpoint as it is stored: what must not be read there is sealed (`seal.ts`). */
export const StoredEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  /** Types it subscribes to; types of later versions included. */
  events: z.array(z.string()),
  state: EndpointState,
  sealed_secrets: z.string(),
  /** The challenge that is open; null when none is. */
  sealed_challenge: z.string().nullable(),
  secret_rotated_at: z.iso.datetime().nullable(),
  /** Until when the secret before the last rotation signs too. */
  previous_secret_valid_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  created_by: z.string(),
  /** Whose scopes the events are sent by; null, of an endpoint of an earlier version, authorizes nothing. */
  authorized_by: Authorization.nullable().default(null),
});
export type StoredEndpoint = z.infer<typeof StoredEndpoint>;

/** Counts a tenant's endpoints; every creation and deletion writes it too, so they follow on each other. */
const Head = z.object({ count: z.int() });
type Head = z.infer<typeof Head>;

const partitionOf = (tenantId: string): string => `endpoint#${tenantId}`;
/** `id` is an endpoint's, or the ULID it ends with. */
const endpointKey = (tenantId: string, id: string) => ({ pk: partitionOf(tenantId), sk: ulidInId(id) });
const counterKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'endpoints' });
const deletedKey = (tenantId: string, id: string) => ({ pk: `deleted#${tenantId}`, sk: ulidInId(id) });

export interface EndpointReader {
  /** All of a tenant's, in the order they were made. */
  readonly endpointsOf: (tenantId: string) => Promise<StoredEndpoint[]>;
  /** By its id, or the ULID that ends with; null when there is none, or none any more. */
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

/** What delivers to endpoints needs of them: each write is on condition that nobody changed the endpoint since. */
export interface EndpointStateStore extends EndpointReader {
  readonly versioned: (tenantId: string, id: string) => Promise<Versioned<StoredEndpoint> | null>;
  readonly replace: (tenantId: string, endpoint: StoredEndpoint, seen: Revision, by: Revision) => Write;
}

export const endpointStateStore = (table: string): EndpointStateStore => ({
  ...endpointReader(table),
  versioned: (tenantId, id) => readVersioned(table, endpointKey(tenantId, id), StoredEndpoint),
  replace: (tenantId, endpoint, seen, by) =>
    writeDocument(table, endpointKey(tenantId, endpoint.id), endpoint, { expectedRevision: seen, by }),
});

/** The place of an endpoint, as a creation or deletion finds it. */
export interface EndpointLookup {
  /** Null when there is none, or none any more. */
  readonly endpoint: StoredEndpoint | null;
  /** What was there until it was deleted. */
  readonly deleted: StoredEndpoint | null;
  readonly count: number;
  readonly head: Revision | null;
}

export interface EndpointWriter extends EndpointStateStore {
  /** An endpoint and what its creation or deletion depends on, with who wrote or deleted it last. */
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

const NO_REVISION: Revision = { claim: '', attempt: 0 };

export const endpointWriter = (table: string): EndpointWriter => {
  const putCount = (tenantId: string, count: number, { head }: EndpointLookup, by: Revision): Write =>
    writeDocument(table, counterKey(tenantId), { count } satisfies Head, { expectedRevision: head, by });

  return {
    ...endpointStateStore(table),
    find: async (tenantId, id) => {
      // The head first: what is read behind it and changed meanwhile is found out when the head is written.
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
      const ttl = Math.ceil(now / 1_000) + DELETED_SECONDS;
      return [
        deleteDocument(table, endpointKey(tenantId, endpoint.id)),
        // Once only, so that two who delete it at the same time do not count it out twice.
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
