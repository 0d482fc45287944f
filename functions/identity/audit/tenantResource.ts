import * as z from 'zod';
import type {
  CollectionLookup,
  CountedCollection,
} from '../../platform/shared/aws/countedCollection.store.ts';
import { deterministicUlid, type IdPrefix, idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { changeOnce, type MutationCall } from './changeOnce.ts';

type ResourceCall = MutationCall & {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly parameters: Readonly<Record<string, string>>;
};

/** What the resources of a kind have in common. */
export interface ResourceKind<Document> {
  readonly shape: z.ZodType<Document>;
  /** Names the kind in problems: `budget`. */
  readonly name: string;
  readonly idPrefix: IdPrefix;
  /** The most resources of a tenant. */
  readonly maximum: number;
  /** The resource, if it exists and the caller may see it. Throws NOT_FOUND or RESIDENCY_BLOCKED. */
  readonly requireVisible: (caller: Caller, found: Document | null) => Document;
  /** The part of a document that a tenant sets, for the audit log. Default: all of it. */
  readonly configuration?: (document: Document) => unknown;
}

/** A changed resource. `secret` is the one that the change has issued; null for a caller that did not issue it. */
interface Changed<Document> {
  readonly document: Document;
  readonly secret: string | null;
}

type SecretOf<Document> = (document: Document) => string;

/**
 * Creation, change and deletion of the resources of one kind: each once for its Idempotency-Key, audited, within the limit
 * of the tenant, and repeated when another writer was first. A domain gives the rules of its documents.
 */
export const tenantResource = <Document extends { readonly id: string }, Head>(
  kind: ResourceKind<Document>,
  collection: CountedCollection<Document, Head>,
) => {
  const { shape, name, idPrefix, maximum, requireVisible, configuration = (document) => document } = kind;
  const configured = (document: Document | null) => (document === null ? null : configuration(document));

  const change = async <Result extends Document | null>(
    call: ResourceCall,
    resultShape: z.ZodType<Result>,
    ulid: string,
    decide: (lookup: CollectionLookup<Document, Head>) => Result | Promise<Result>,
    secretOf?: SecretOf<Result & Document>,
  ) => {
    const { tenant } = call.caller;
    return changeOnce(call, resultShape, async () => {
      const lookup = await collection.find(tenant.tenant_id, ulid);
      const result = await decide(lookup);
      return {
        writes: collection.change(tenant.tenant_id, lookup, result, call.claim),
        result,
        resource: idOf(idPrefix, tenant.tag, ulid),
        before: configured(lookup.current),
        after: configured(result),
        secret: result === null || secretOf === undefined ? null : secretOf(result),
      };
    });
  };

  const requireRoom = (head: Head): void => {
    if (collection.countOf(head) < maximum) return;
    const detail = `a tenant has at most ${maximum} ${name}s`;
    throw new ProblemError('VALIDATION_FAILED', `No further ${name} fits. Delete one first.`, {
      errors: [{ pointer: '', detail }],
    });
  };

  return {
    /** `build` gets the id, and the head of the collection. */
    create: async (
      call: ResourceCall,
      build: (id: string, head: Head) => Document | Promise<Document>,
      secretOf?: SecretOf<Document>,
    ): Promise<Changed<Document>> => {
      const { caller, claim, receivedAt } = call;
      const ulid = deterministicUlid(name, claim.claim, receivedAt);
      const buildWithinLimit = ({ head }: CollectionLookup<Document, Head>) => {
        requireRoom(head);
        return build(idOf(idPrefix, caller.tenant.tag, ulid), head);
      };
      const { result, secret } = await change(call, shape, ulid, buildWithinLimit, secretOf);
      return { document: result, secret };
    },
    /** Writes the resource whose ULID follows from what it is about. One that exists is replaced. */
    put: async (
      call: ResourceCall,
      ulid: string,
      build: (id: string, current: Document | null) => Document,
    ): Promise<Document> => {
      const { caller } = call;
      const { result } = await change(call, shape, ulid, ({ current, head }) => {
        if (current === null) requireRoom(head);
        else requireVisible(caller, current);
        return build(idOf(idPrefix, caller.tenant.tag, ulid), current);
      });
      return result;
    },
    /** Changes the resource of the path. */
    update: async (
      call: ResourceCall,
      patch: (current: Document) => Document | Promise<Document>,
      secretOf?: SecretOf<Document>,
    ): Promise<Changed<Document>> => {
      const patchFound = ({ current }: CollectionLookup<Document, Head>) =>
        patch(requireVisible(call.caller, current));
      const { result, secret } = await change(call, shape, call.parameters['id'] ?? '', patchFound, secretOf);
      return { document: result, secret };
    },
    /** Deletes the resource of the path. */
    remove: async (call: ResourceCall): Promise<void> => {
      await change(call, z.null(), call.parameters['id'] ?? '', ({ current }) => {
        requireVisible(call.caller, current);
        return null;
      });
    },
  };
};
