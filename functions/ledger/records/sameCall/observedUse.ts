import * as z from 'zod';

/** What an observer saw of a call, as far as another observer sees it too. It holds nothing that names a caller. */
export const ObservedUse = z.object({
  /** ULID of its record. */
  record: z.string(),
  /** Digest of what observed: a capture layer and its source system, whatever its credential. */
  kind: z.string(),
  /** How near the observer is to the provider. */
  nearness: z.int(),
  /** When the call began and ended, epoch milliseconds. Equal if only one time is known. */
  from: z.int(),
  to: z.int(),
  /** Models, requested and served, in the spelling of the price catalogue. */
  models: z.array(z.string()),
  trace: z.string().optional(),
  /** The spans under which others can name it as their caller, and the span that called it. */
  spans: z.array(z.string()).optional(),
  caller: z.string().optional(),
  /** Digests of its token counts. None: it states none. */
  counts: z.array(z.string()).optional(),
  /** Digest of the service that called. */
  service: z.string().optional(),
  /** Forms of its ids, such as `chatcmpl` and `req`. */
  idStyles: z.array(z.string()).optional(),
  /** Digest of the name of the API key. */
  key: z.string().optional(),
  /** Digest of the caller, if it is named by an address. */
  person: z.string().optional(),
});
export type ObservedUse = z.infer<typeof ObservedUse>;

/** A kind of observer of a tenant, as far as its calls are alike in what they can be recognised by. */
export interface ObserverKind {
  readonly kind: string;
  /** How near it is to the provider. */
  readonly nearness: number;
  /** Whether these calls have no id of the response. */
  readonly isWeak: boolean;
  /** Whether these calls are in a trace. */
  readonly isTraced: boolean;
  /** Whether these calls state no token counts. */
  readonly isUncounted: boolean;
  /** When it was first seen, epoch milliseconds. */
  readonly since: number;
}
