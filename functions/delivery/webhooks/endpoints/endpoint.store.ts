import * as z from 'zod';
import { ENDPOINTS_MAXIMUM } from '../../../../schemas/delivery/webhooks.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../../platform/shared/aws/countedCollection.store.ts';
import type { Revision, Versioned, Write } from '../../../platform/shared/aws/document.store.ts';
import { Authorization } from '../../../platform/tenancy/authorization.ts';
import { EndpointState } from './endpointState.ts';

/** A stored webhook endpoint. Secrets are encrypted (`seal.ts`). */
export const StoredEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  /** Subscribed types. May contain types of a later version. */
  events: z.array(z.string()),
  /** The most events in one request. Above 1, the body of a request is a list of events. */
  max_batch_size: z.int().min(1).default(1),
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

const endpointCollection = (table: string) =>
  countedCollection(table, {
    prefix: 'endpoint',
    name: 'endpoints',
    shape: StoredEndpoint,
    ...headWithCount,
  });

export interface EndpointReader {
  /** All endpoints of a tenant, in the order of their creation. */
  readonly endpointsOf: (tenantId: string) => Promise<StoredEndpoint[]>;
  /** `id` is the id of the endpoint or the ULID of that id. Null when the endpoint does not exist or was deleted. */
  readonly endpoint: (tenantId: string, id: string) => Promise<StoredEndpoint | null>;
}

export const endpointReader = (table: string): EndpointReader => {
  const collection = endpointCollection(table);
  return {
    endpointsOf: (tenantId) => collection.list(tenantId, { descending: false, limit: ENDPOINTS_MAXIMUM }),
    endpoint: collection.read,
  };
};

/** The store of the delivery worker. `replace` fails when another writer has changed the endpoint since `expected`. */
export interface EndpointStateStore extends EndpointReader {
  readonly versioned: (tenantId: string, id: string) => Promise<Versioned<StoredEndpoint> | null>;
  readonly replace: (tenantId: string, endpoint: StoredEndpoint, expected: Revision, by: Revision) => Write;
}

export const endpointStateStore = (table: string): EndpointStateStore => {
  const collection = endpointCollection(table);
  return { ...endpointReader(table), versioned: collection.versioned, replace: collection.put };
};

export type EndpointWriter = EndpointStateStore & CountedCollection<StoredEndpoint, Count>;

export const endpointWriter = (table: string): EndpointWriter => ({
  ...endpointStateStore(table),
  ...endpointCollection(table),
});
