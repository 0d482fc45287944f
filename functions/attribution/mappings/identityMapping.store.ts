import * as z from 'zod';
import { IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
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
import { inOrder } from './order.ts';

/** How long a deleted mapping is remembered, in seconds: longer than a call may be repeated under its key. */
const DELETED_SECONDS = 2 * 24 * 60 * 60;

/** What a tenant's mappings have in common; every change of one of them writes it too, so they follow on each other. */
const Head = z.object({
  /** Grows by one with each change. */
  revision: z.int(),
  count: z.int(),
  /** The highest position any mapping was ever given. */
  last: z.int(),
});
type Head = z.infer<typeof Head>;
const NO_HEAD: Head = { revision: 0, count: 0, last: 0 };

const partitionOf = (tenantId: string): string => `mapping#${tenantId}`;
const placeOf = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const headPlace = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'mappings' });
/** Apart from those that hold, so that whoever reads all of them never reads more than there may be. */
const deletedPlace = (tenantId: string, ulid: string) => ({ pk: `deleted#${tenantId}`, sk: ulid });

export interface MappingReader {
  readonly mapping: (tenantId: string, ulid: string) => Promise<IdentityMapping | null>;
  /** In the order they are tried; strongly consistent, though one that is being changed may come as it was. */
  readonly all: (tenantId: string) => Promise<IdentityMapping[]>;
  /** Another number after every change; 0 before the first. */
  readonly revision: (tenantId: string) => Promise<number>;
}

export const mappingReader = (table: string): MappingReader => ({
  mapping: (tenantId, ulid) => readDocument(table, placeOf(tenantId, ulid), IdentityMapping),
  all: async (tenantId) =>
    inOrder(
      await listDocuments(
        table,
        partitionOf(tenantId),
        { descending: false, limit: MAPPINGS_MAXIMUM },
        IdentityMapping,
      ),
    ),
  revision: async (tenantId) =>
    (await readDocument(table, headPlace(tenantId), Head))?.revision ?? NO_HEAD.revision,
});

/** A place for a mapping, as a change finds it. */
export interface Found {
  /** Null when there is none, or none any more. */
  readonly mapping: IdentityMapping | null;
  /** What was there until it was deleted. */
  readonly deleted: IdentityMapping | null;
  readonly head: Head;
  readonly seen: { readonly mapping: Revision | null; readonly head: Revision | null };
}

export interface MappingWriter {
  /** A mapping and what its change depends on, with who wrote or deleted it last. */
  readonly find: (tenantId: string, ulid: string) => Promise<Versioned<Found>>;
  /** Puts a mapping where one was found, or none. Fails when any of the tenant's was changed since. */
  readonly put: (tenantId: string, mapping: IdentityMapping, found: Found, by: Revision) => readonly Write[];
  /** Deletes the mapping that was found. `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    mapping: IdentityMapping,
    found: Found,
    by: Revision,
    now: number,
  ) => readonly Write[];
}

const NOBODY: Revision = { claim: '', attempt: 0 };

export const mappingWriter = (table: string): MappingWriter => {
  const writeHead = (tenantId: string, head: Head, { seen }: Found, by: Revision): Write =>
    writeDocument(table, headPlace(tenantId), head, { seen: seen.head, by });

  return {
    find: async (tenantId, ulid) => {
      // The head first: what is read behind it and changed meanwhile is found out when the head is written.
      const head = await readVersioned(table, headPlace(tenantId), Head);
      const own = await readVersioned(table, placeOf(tenantId, ulid), IdentityMapping);
      const deleted =
        own === null ? await readVersioned(table, deletedPlace(tenantId, ulid), IdentityMapping) : null;
      return {
        document: {
          mapping: own?.document ?? null,
          deleted: deleted?.document ?? null,
          head: head?.document ?? NO_HEAD,
          seen: { mapping: own?.revision ?? null, head: head?.revision ?? null },
        },
        revision: own?.revision ?? deleted?.revision ?? NOBODY,
      };
    },
    put: (tenantId, mapping, found, by) => {
      const { head, seen } = found;
      const next = {
        revision: head.revision + 1,
        count: head.count + (seen.mapping === null ? 1 : 0),
        last: Math.max(head.last, mapping.position),
      };
      return [
        writeDocument(table, placeOf(tenantId, ulidInId(mapping.id)), mapping, { seen: seen.mapping, by }),
        writeHead(tenantId, next, found, by),
      ];
    },
    remove: (tenantId, mapping, found, by, now) => {
      const { head } = found;
      const ulid = ulidInId(mapping.id);
      const next = { ...head, revision: head.revision + 1, count: head.count - 1 };
      const ttl = Math.ceil(now / 1_000) + DELETED_SECONDS;
      return [
        deleteDocument(table, placeOf(tenantId, ulid)),
        // Once only, so that two who delete it at the same time do not count it out twice.
        writeDocument(table, deletedPlace(tenantId, ulid), mapping, { seen: null, by, ttl }),
        writeHead(tenantId, next, found, by),
      ];
    },
  };
};
